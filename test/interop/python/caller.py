"""Calls an agent with the official Python client and prints what came of it, a JSON line for each fact.

Usage: caller.py URL BINDING HOOK [TOKEN [FACT...]], where HOOK is an address for push notifications and TOKEN a secret
for whatever bearer scheme the card asks for. Without names of facts, all of them.
"""

import asyncio
import json
import sys

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from a2a.client import Client, ClientCallContext, ClientConfig, ClientFactory
from a2a.client.auth import AuthInterceptor, CredentialService
from a2a.helpers import get_artifact_text, get_message_text, new_data_part, new_raw_part, new_text_part, new_url_part
from a2a.types import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    StreamResponse,
    SubscribeToTaskRequest,
    Task,
    TaskPushNotificationConfig,
    TaskState,
)
from google.protobuf.json_format import MessageToDict

FACT_SECONDS = 10

Fact = Callable[['Caller'], Awaitable[Any]]
facts: list[Fact] = []


def fact(function: Fact) -> Fact:
    facts.append(function)
    return function


def state_of(task: Task) -> str:
    return TaskState.Name(task.status.state)


def text_of(task: Task) -> str:
    return ''.join(get_artifact_text(artifact, '') for artifact in task.artifacts)


def word_of(event: StreamResponse) -> str:
    kind = event.WhichOneof('payload')
    if kind == 'task':
        return f'task {state_of(event.task)}'
    if kind == 'status_update':
        return TaskState.Name(event.status_update.status.state)
    if kind == 'artifact_update':
        return f'chunk {get_artifact_text(event.artifact_update.artifact, "")}'
    return f'message {get_message_text(event.message)}'


class OneToken(CredentialService):
    """Has the same token for every scheme."""

    def __init__(self, token: str) -> None:
        self.token = token

    async def get_credentials(self, security_scheme_name: str, context: ClientCallContext | None) -> str | None:
        return self.token or None


class Caller:
    def __init__(self, plain: Client, streaming: Client, anonymous: Client, hook: str) -> None:
        self.plain = plain
        self.streaming = streaming
        self.anonymous = anonymous
        self.hook = hook

    def request(
        self, content: str | list[Part], task_id: str = '', context_id: str = '', at_once: bool = False
    ) -> SendMessageRequest:
        parts = [new_text_part(content)] if isinstance(content, str) else content
        message = Message(
            message_id=str(uuid4()), role=Role.ROLE_USER, parts=parts, task_id=task_id, context_id=context_id
        )
        return SendMessageRequest(
            message=message, configuration=SendMessageConfiguration(return_immediately=at_once)
        )

    async def answer(self, content: str | list[Part], **more: Any) -> StreamResponse:
        events = [event async for event in self.plain.send_message(self.request(content, **more))]
        assert len(events) == 1, events
        return events[0]

    async def task(self, content: str | list[Part], **more: Any) -> Task:
        answer = await self.answer(content, **more)
        assert answer.HasField('task'), answer
        return answer.task

    async def words(self, content: str | list[Part], **more: Any) -> list[str]:
        return [word_of(event) async for event in self.streaming.send_message(self.request(content, **more))]


@fact
async def card(caller: Caller) -> Any:
    card = caller.plain._card
    return {'name': card.name, 'skills': [skill.id for skill in card.skills], 'streaming': card.capabilities.streaming}


@fact
async def extended_card(caller: Caller) -> Any:
    return (await caller.plain.get_extended_agent_card(GetExtendedAgentCardRequest())).name


@fact
async def anonymous(caller: Caller) -> Any:
    events = caller.anonymous.send_message(caller.request('echo hi'))
    return await refused(lambda: anext(events), 'let in')


@fact
async def send(caller: Caller) -> Any:
    task = await caller.task('echo grüezi 🧀')
    return {'state': state_of(task), 'text': text_of(task)}


@fact
async def direct_message(caller: Caller) -> Any:
    return word_of(await caller.answer('message hello'))


@fact
async def stream(caller: Caller) -> Any:
    return await caller.words('slow 3 1')


@fact
async def stream_direct_message(caller: Caller) -> Any:
    return await caller.words('message hello')


@fact
async def follow_up(caller: Caller) -> Any:
    waiting = await caller.task('pause which one?')
    done = await caller.task('the red one', task_id=waiting.id, context_id=waiting.context_id)
    return {
        'asked': [state_of(waiting), get_message_text(waiting.status.message)],
        'same': waiting.id == done.id,
        'answered': [state_of(done), text_of(done)],
    }


@fact
async def stream_follow_up(caller: Caller) -> Any:
    waiting = await caller.task('pause which one?')
    return [await caller.words('pause and now?'), await caller.words('the red one', task_id=waiting.id)]


@fact
async def auth_required(caller: Caller) -> Any:
    return state_of(await caller.task('auth'))


@fact
async def failed(caller: Caller) -> Any:
    return state_of(await caller.task('fail for a reason'))


@fact
async def rejected(caller: Caller) -> Any:
    task = await caller.task('reject no way')
    return [state_of(task), get_message_text(task.status.message)]


@fact
async def file_and_data(caller: Caller) -> Any:
    return [
        [MessageToDict(part) for artifact in (await caller.task(word)).artifacts for part in artifact.parts]
        for word in ('file', 'data')
    ]


@fact
async def parts_kept(caller: Caller) -> Any:
    parts = [
        new_text_part('pause'),
        new_raw_part(b'\x00\xff', media_type='text/csv', filename='a.csv'),
        new_url_part('https://example.com/a.csv', media_type='text/csv', filename='b.csv'),
        new_data_part({'count': 42, 'none': None, 'list': [1, 'two', {'deep': True}]}),
    ]
    task = await caller.task(parts)
    kept = await caller.plain.get_task(GetTaskRequest(id=task.id))
    return list(kept.history[0].parts) == parts


@fact
async def get(caller: Caller) -> Any:
    sent = await caller.task('echo once')
    got = await caller.plain.get_task(GetTaskRequest(id=sent.id))
    short = await caller.plain.get_task(GetTaskRequest(id=sent.id, history_length=0))
    return {'id': got.id == sent.id, 'history': len(got.history) > 0, 'short': len(short.history)}


@fact
async def list_pages(caller: Caller) -> Any:
    context_id = str(uuid4())
    sent = {(await caller.task(f'echo {n}', context_id=context_id)).id for n in range(3)}
    listed: list[Task] = []
    token = ''
    sizes: list[int] = []
    while True:
        page = await caller.plain.list_tasks(
            ListTasksRequest(
                context_id=context_id,
                status=TaskState.TASK_STATE_COMPLETED,
                page_size=2,
                page_token=token,
                include_artifacts=True,
                history_length=0,
            )
        )
        sizes.append(page.total_size)
        listed.extend(page.tasks)
        token = page.next_page_token
        if not token:
            break
    return {
        'same': {task.id for task in listed} == sent,
        'texts': sorted(text_of(task) for task in listed),
        'sizes': sizes,
        'newest first': [text_of(task) for task in listed] == ['2', '1', '0'],
    }


@fact
async def cancel(caller: Caller) -> Any:
    running = await caller.task('slow 100000 5', at_once=True)
    canceled = await caller.plain.cancel_task(CancelTaskRequest(id=running.id))
    got = await caller.plain.get_task(GetTaskRequest(id=running.id))
    return [state_of(canceled), state_of(got)]


@fact
async def subscribe(caller: Caller) -> Any:
    running = await caller.task('slow 100000 5', at_once=True)
    words: list[str] = []
    async for event in caller.streaming.subscribe(SubscribeToTaskRequest(id=running.id)):
        words.append(word_of(event))
        if len(words) == 3:
            await caller.plain.cancel_task(CancelTaskRequest(id=running.id))
    return [words[0], words[-1]]


@fact
async def push_configs(caller: Caller) -> Any:
    waiting = await caller.task('pause well?')
    task_id = waiting.id
    created = await caller.plain.create_task_push_notification_config(
        TaskPushNotificationConfig(task_id=task_id, id='mine', url=caller.hook, token='a-token')
    )
    got = await caller.plain.get_task_push_notification_config(
        GetTaskPushNotificationConfigRequest(task_id=task_id, id='mine')
    )
    request = ListTaskPushNotificationConfigsRequest(task_id=task_id)
    before = await caller.plain.list_task_push_notification_configs(request)
    deletion = DeleteTaskPushNotificationConfigRequest(task_id=task_id, id='mine')
    deleted = await refused(lambda: caller.plain.delete_task_push_notification_config(deletion), 'done')
    after = await caller.plain.list_task_push_notification_configs(request)
    return {
        'created': [created.id, created.url == caller.hook],
        'got': [got.id, got.url == caller.hook],
        'listed': [[config.id for config in page.configs] for page in (before, after)],
        'deleted': deleted,
    }


@fact
async def push_with_message(caller: Caller) -> Any:
    request = caller.request('echo notify me')
    request.configuration.task_push_notification_config.CopyFrom(
        TaskPushNotificationConfig(url=caller.hook, token='with the message')
    )
    events = [event async for event in caller.plain.send_message(request)]
    return [word_of(event) for event in events]


async def refused(action: Callable[[], Awaitable[Any]], otherwise: str = 'no error') -> str:
    """The name of the error that a call raises."""
    try:
        await action()
    except Exception as error:
        return type(error).__name__
    return otherwise


@fact
async def errors(caller: Caller) -> Any:
    done = (await caller.task('echo done')).id
    other = str(uuid4())

    async def first(events: Any) -> Any:
        return [word_of(event) async for event in events]

    return {
        'get unknown': await refused(lambda: caller.plain.get_task(GetTaskRequest(id=other))),
        'cancel unknown': await refused(lambda: caller.plain.cancel_task(CancelTaskRequest(id=other))),
        'cancel ended': await refused(lambda: caller.plain.cancel_task(CancelTaskRequest(id=done))),
        'send to ended': await refused(lambda: caller.task('more', task_id=done)),
        'send to unknown': await refused(lambda: caller.task('more', task_id=other)),
        'stream to unknown': await refused(lambda: caller.words('more', task_id=other)),
        'subscribe ended': await refused(
            lambda: first(caller.streaming.subscribe(SubscribeToTaskRequest(id=done)))
        ),
        'subscribe unknown': await refused(
            lambda: first(caller.streaming.subscribe(SubscribeToTaskRequest(id=other)))
        ),
        'no parts': await refused(lambda: caller.task([])),
        'page too large': await refused(lambda: caller.plain.list_tasks(ListTasksRequest(page_size=1000))),
        'unknown config': await refused(
            lambda: caller.plain.get_task_push_notification_config(
                GetTaskPushNotificationConfigRequest(task_id=done, id='none')
            )
        ),
    }


async def client_of(url: str, binding: str, token: str, streaming: bool) -> Client:
    config = ClientConfig(streaming=streaming, supported_protocol_bindings=[binding], use_client_preference=True)
    return await ClientFactory(config).create_from_url(url, [AuthInterceptor(OneToken(token))])


async def main(url: str, binding: str, hook: str, token: str = '', *names: str) -> None:
    clients = [
        await client_of(url, binding, secret, streaming)
        for secret, streaming in ((token, False), (token, True), ('', False))
    ]
    caller = Caller(*clients, hook)
    for function in facts:
        if names and function.__name__ not in names:
            continue
        line: dict[str, Any] = {'name': function.__name__}
        try:
            line['value'] = await asyncio.wait_for(function(caller), FACT_SECONDS)
        except Exception as error:
            line['error'] = f'{type(error).__name__}: {error}'
        print(json.dumps(line), flush=True)
    for client in clients:
        await client.close()


if __name__ == '__main__':
    asyncio.run(main(*sys.argv[1:]))

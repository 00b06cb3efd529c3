"""The behaviours of the Python agent; the first word of a message chooses one."""

import asyncio

from a2a.helpers import (
    new_data_part,
    new_raw_part,
    new_task_from_user_message,
    new_text_part,
    new_url_part,
)
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Role


class InteropExecutor(AgentExecutor):
    """`slow N MS`, `pause Q`, `auth`, `message T`, `parts`, `kinds`, `reject T`, `fail T`; all else is echoed."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        text = context.get_user_input()
        word, _, rest = text.partition(' ')
        task = context.current_task
        if word == 'message':
            answer = Message(
                message_id=f'answer-{context.task_id}',
                context_id=context.context_id,
                role=Role.ROLE_AGENT,
                parts=[new_text_part(rest)],
            )
            await event_queue.enqueue_event(answer)
            return
        if word == 'crash':
            raise RuntimeError(rest)

        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        saying = lambda words: updater.new_agent_message([new_text_part(words)])
        if task is not None:
            await updater.add_artifact([new_text_part(f'got: {text}')], artifact_id='answer')
            await updater.complete()
            return

        await event_queue.enqueue_event(new_task_from_user_message(context.message))
        if word == 'pause':
            await updater.requires_input(saying(rest))
            return
        if word == 'auth':
            await updater.requires_auth(saying(rest))
            return
        if word == 'reject':
            await updater.reject(saying(rest))
            return
        await updater.start_work()
        if word == 'fail':
            raise RuntimeError(rest)
        if word == 'slow':
            count, pause = (int(number) for number in rest.split(' '))
            for number in range(1, count + 1):
                await asyncio.sleep(pause / 1000)
                await updater.add_artifact(
                    [new_text_part(f'c{number} ')],
                    artifact_id='chunks',
                    append=number > 1,
                    last_chunk=number == count,
                )
        elif word == 'parts':
            await updater.add_artifact(
                [
                    new_text_part('a text'),
                    new_raw_part(b'hello', media_type='text/plain', filename='hello.txt'),
                    new_url_part('https://example.com/a.png', media_type='image/png', filename='a.png'),
                    new_data_part({'key': 'value', 'count': 42, 'none': None, 'list': [1, 'two']}),
                ],
                artifact_id='parts',
                name='Parts',
                metadata={'origin': 'python'},
            )
        elif word == 'kinds':
            kinds = [f'{part.WhichOneof("content")}:{part.media_type}:{part.filename}' for part in context.message.parts]
            raw = b''.join(part.raw for part in context.message.parts)
            await updater.add_artifact([new_text_part(' '.join([*kinds, raw.decode()]))], artifact_id='kinds')
        else:
            await updater.add_artifact([new_text_part(text)], artifact_id='echo')
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()

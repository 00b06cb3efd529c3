"""An agent of the official Python package, over JSON-RPC and HTTP+JSON. It ends when its standard input does."""

import asyncio
import socket
import sys
import threading

import httpx
import uvicorn

from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette

from executor import InteropExecutor


def card_of(url: str, versions: list[str]) -> AgentCard:
    bindings = [('JSONRPC', f'{url}/rpc'), ('HTTP+JSON', f'{url}/rest')]
    return AgentCard(
        name='Python',
        description='An agent of the official Python package',
        version='1.0.0',
        supported_interfaces=[
            AgentInterface(url=where, protocol_binding=binding, protocol_version=version)
            for version in versions
            for binding, where in bindings
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True, extended_agent_card=True),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[AgentSkill(id='echo', name='Echo', description='Says it again', tags=['test'])],
    )


def app_of(url: str, versions: list[str]) -> Starlette:
    card = card_of(url, versions)
    extended = card_of(url, versions)
    extended.name = 'Python, extended'
    configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        agent_executor=InteropExecutor(),
        task_store=InMemoryTaskStore(),
        agent_card=card,
        push_config_store=configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
        extended_agent_card=extended,
    )
    older = '0.3' in versions
    return Starlette(
        routes=[
            *create_agent_card_routes(card),
            *create_jsonrpc_routes(handler, '/rpc', enable_v0_3_compat=older),
            *create_rest_routes(handler, enable_v0_3_compat=older, path_prefix='/rest'),
        ]
    )


async def main(versions: list[str]) -> None:
    listener = socket.create_server(('127.0.0.1', 0))
    url = f'http://127.0.0.1:{listener.getsockname()[1]}'
    config = uvicorn.Config(app_of(url, versions), log_level='warning', timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)

    def watch() -> None:
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=watch, daemon=True).start()
    print(f'ready {url}', flush=True)
    await server.serve(sockets=[listener])


if __name__ == '__main__':
    asyncio.run(main(sys.argv[1:] or ['1.0']))

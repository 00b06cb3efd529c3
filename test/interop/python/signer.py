"""Reads cards and keys from standard input, signs or verifies with the official Python package, prints the answer.

Input: a JSON list of {"card": …, "verify": PUBLIC_JWK} or {"card": …, "sign": PRIVATE_PEM}; output: a JSON list of
whether the signature holds, or of the signed card.
"""

import json
import sys

from typing import Any

from a2a.client.card_resolver import parse_agent_card
from a2a.utils.signing import SignatureVerificationError, create_agent_card_signer, create_signature_verifier
from google.protobuf.json_format import MessageToDict
from jwt import PyJWK

ALGORITHM = 'ES256'


def answer(task: dict[str, Any]) -> Any:
    card = parse_agent_card(task['card'])
    if 'sign' in task:
        header = {'alg': ALGORITHM, 'kid': 'python', 'typ': 'JOSE', 'jku': None}
        return MessageToDict(create_agent_card_signer(task['sign'], header)(card))
    key = PyJWK.from_dict(task['verify'], ALGORITHM)
    try:
        create_signature_verifier(lambda kid, jku: key, [ALGORITHM])(card)
    except SignatureVerificationError:
        return False
    return True


if __name__ == '__main__':
    print(json.dumps([answer(task) for task in json.load(sys.stdin)]))

#!/usr/bin/env python3
"""Replies in the background, as OpenAI's SDK asks for them at two gateways of one store.

The worker is killed while a person must decide, and the client reads the events of a reply at the
gateway at which it did not begin it.
"""
import argparse
import json
import pathlib
import sys
import tempfile

import openai

import database
import model_server
from http_suite import Gateways, TOKEN
from suite import House

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from checks import Checks, wait_for  # noqa: E402

ANSWER = "All is done."


def allow(house, run):
    """Allows what the run waits for, once it waits."""
    def waits():
        runs = json.loads(house.ask("runs", "list", "--json"))
        return any(one["id"] == run and one["state"]["state"] == "waiting" for one in runs)

    wait_for("the run waits for a person", waits)
    house.ask("approvals", "allow", run)


def asked_again_and_again(house, clients, checks):
    reply = clients[0].responses.create(model="steps-8b", input="Job 1", background=True, metadata={"job": "1"})
    checks.say(reply.status in ("queued", "in_progress") and reply.background, f"begins as {reply.status}")
    house.begin_all()
    allow(house, reply.id)
    house.kill(0)
    house.workers[0] = house.begin(0)
    ended = wait_for("the reply ends", lambda: ended_at(clients[1], reply.id))
    checks.say((ended.status, ended.output_text) == ("completed", ANSWER), "completed at the other gateway")
    checks.say(ended.metadata == {"job": "1"}, "repeats its metadata")
    return reply.id


def ended_at(client, reply):
    found = client.responses.retrieve(reply)
    return found if found.status not in ("queued", "in_progress") else None


def streamed(house, clients, checks):
    with clients[0].responses.create(model="steps-8b", input="Job 2", background=True, stream=True) as stream:
        seen = [next(iter(stream))]
    reply = seen[0].response.id
    allow(house, reply)
    last = seen[-1].sequence_number
    seen += clients[1].responses.retrieve(reply, stream=True, starting_after=last)
    numbers = [event.sequence_number for event in seen]
    checks.say(numbers == list(range(len(seen))), f"{len(seen)} events over two gateways, none missing or twice")
    text = "".join(event.delta for event in seen if event.type == "response.output_text.delta")
    checks.say(text == ANSWER and seen[-1].type == "response.completed", "the text of the events is the answer")


def continued(house, clients, checks, previous):
    reply = clients[1].responses.create(model="steps-8b", input="Next", background=True, previous_response_id=previous)
    items = clients[0].responses.input_items.list(reply.id, order="asc").data
    said = [item.content[0].text if isinstance(item.content, list) else item.content for item in items]
    checks.say(said == ["Job 1", ANSWER, "Next"], "goes on with the conversation")
    cancelled = clients[0].responses.cancel(reply.id)
    checks.say(cancelled.status == "cancelled", "is cancelled")
    clients[1].responses.delete(reply.id)
    try:
        clients[0].responses.retrieve(reply.id)
        checks.say(False, "is erased")
    except openai.NotFoundError:
        checks.say(True, "is erased")
    try:
        clients[0].responses.create(model="steps-8b", input="Job", background=True, store=False)
        checks.say(False, "store: false is refused")
    except openai.BadRequestError as error:
        checks.say("background" in error.message, "store: false is refused")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--haft", required=True)
    wanted = parser.parse_args()
    wanted.payments, wanted.slots, wanted.workers, wanted.other = 0, 4, 1, None
    model_server.ANSWER = ANSWER
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        house = House(pathlib.Path(wanted.haft).resolve(), database.Sqlite(folder), folder, wanted)
        gateways = Gateways(house, house.model_url)
        try:
            gateways.start()
            wait_for("a gateway answers", lambda: gateways.post(0, "/v1/runs", {"question": "A job"}))
            clients = [openai.OpenAI(base_url=gateways.url(number, "/v1"), api_key=TOKEN) for number in (0, 1)]
            previous = asked_again_and_again(house, clients, checks)
            streamed(house, clients, checks)
            continued(house, clients, checks, previous)
        finally:
            gateways.kill()
            house.end()
    sys.exit(bool(checks.failed))


main()

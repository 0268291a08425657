"""The parts of the suite in which `haft listen` hears: files and a satellite, well and badly."""
import asyncio
import json
import os
import subprocess
import time
import wave

from wyoming.audio import AudioChunk, AudioStart, AudioStop, wav_to_chunks
from wyoming.pipeline import PipelineStage, RunPipeline
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.satellite import RunSatellite
from wyoming.snd import Played
from wyoming.asr import Transcript

from house import Server, free_port, speak

LIGHT, LAMP = "2 37 currentValue", "3 38 currentValue"
PAUSE = bytes(32_000)


class Listening:
    def __init__(self, suite):
        self.suite, self.check = suite, suite.check
        self.transcriber = Server("transcriber.py")
        self.whole, self.streaming = Server("voice.py", "whole"), Server("voice.py", "streaming")
        self.processes = [server.process for server in (self.transcriber, self.whole, self.streaming)]

    def run(self):
        self.files()
        self.faults()
        self.fifty()
        asyncio.run(self.satellite())

    def spoken(self, name, *texts):
        folder = self.suite.folder / name
        folder.mkdir()
        return folder, [speak(text, folder / f"{at:02}.wav") for at, text in enumerate(texts)]

    def listen(self, *arguments, transcriber=None, seconds=120):
        """Its records, and its trace."""
        done = subprocess.run([self.suite.binary, "listen", "--json", "--home", self.suite.devices.url, "--model", "builtin",
            "--transcriber", f"tcp://{(transcriber or self.transcriber).address}", *map(str, arguments)],
            env=self.suite.environment, cwd=self.suite.folder, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def files(self):
        folder, _ = self.spoken("commands", "turn on the kitchen light", "dim the bedroom lamp to forty percent")
        poll = self.suite.devices.poll
        before = poll(LIGHT, LAMP)
        played = self.suite.folder / "played"
        played.mkdir()
        play = f"sh -c 'cat > {played}/$$.wav'"
        records, trace = self.listen(folder, "--speech", f"tcp://{self.whole.address}", "--play", play)
        after = poll(LIGHT, LAMP)
        self.check("spoken: the light was off, the lamp was dark; now it is on, and at 40 percent", (before, after) == ([False, 0], [True, 40]), (before, after, trace))
        texts = [record.get("text") for record in records]
        self.check("spoken: heard word for word", texts == ["turn on the kitchen light", "dim the bedroom lamp to forty percent"], texts)
        sounds = [os.path.getsize(file) for file in played.iterdir()]
        self.check("the answers were played, a WAV file each", len(sounds) == 2 and min(sounds) > 20_000, (sounds, trace))
        _, files = self.spoken("off", "turn off the kitchen light")
        records, trace = self.listen(*files, "--speech", f"tcp://{self.streaming.address}", "--play", play)
        self.check("with a voice that streams, too", poll(LIGHT) == [False] and len(list(played.iterdir())) == 3, (records, trace))

    def faults(self):
        faults = ["die", "half", "error", "nonsense"]
        transcriber = Server("transcriber.py", *faults)
        self.processes.append(transcriber.process)
        folder, _ = self.spoken("faults", *["turn on the garage light"] * len(faults), "turn on the kitchen light")
        records, trace = self.listen(folder, transcriber=transcriber)
        errors = [record.get("error") for record in records]
        self.check("a speech-to-text server that dies, sends half an event, fails or talks nonsense costs an utterance each",
            len(errors) == 5 and all(errors[:4]) and errors[4] is None, (records, trace))
        self.check("and the next one is carried out", self.suite.devices.poll(LIGHT) == [True], trace)
        hanging = Server("transcriber.py", "hang")
        self.processes.append(hanging.process)
        folder, _ = self.spoken("hanging", "turn on the garage light", "turn off the kitchen light")
        begun = time.monotonic()
        records, trace = self.listen(folder, transcriber=hanging)
        took = time.monotonic() - begun
        self.check("a speech-to-text server that hangs is given up after a minute", 55 < took < 90 and "error" in records[0], (took, records, trace))
        self.check("and the next utterance is carried out", self.suite.devices.poll(LIGHT) == [False], trace)

    def fifty(self):
        folder, _ = self.spoken("fifty", *["what time is it", "turn off the kitchen light"] * 25)
        records, trace = self.listen(folder, seconds=300)
        answered = [record for record in records if record.get("answer")]
        self.check("of fifty utterances at once all are answered", len(answered) == 50, (len(answered), trace[-800:]))

    async def satellite(self):
        """A satellite that hears one sentence and plays the answer."""
        _, (file,) = self.spoken("satellite", "turn on the kitchen light")
        events, done, port = [], asyncio.Event(), free_port()

        class Satellite(AsyncEventHandler):
            async def handle_event(self, event):
                if not AudioChunk.is_type(event.type):
                    events.append(event)
                if RunSatellite.is_type(event.type):
                    asyncio.create_task(self.hear())
                elif AudioChunk.is_type(event.type):
                    sound.append(event.payload)
                elif AudioStop.is_type(event.type):
                    await self.write_event(Played().event())
                    done.set()
                return True

            async def hear(self):
                run = RunPipeline(start_stage=PipelineStage.ASR, end_stage=PipelineStage.TTS)
                await self.write_event(run.event())
                with wave.open(file) as speech:
                    rate = speech.getframerate()
                    await self.write_event(AudioStart(rate=rate, width=2, channels=1).event())
                    for chunk in wav_to_chunks(speech, 1024):
                        await self.write_event(chunk.event())
                # It does not say when the speech ends.
                await self.write_event(AudioChunk(rate=rate, width=2, channels=1, audio=PAUSE * 2).event())

        sound = []
        server = AsyncServer.from_uri(f"tcp://127.0.0.1:{port}")
        await server.start(Satellite)
        haft = self.suite.haft("listen", "--satellite", f"127.0.0.1:{port}", "--home", self.suite.devices.url, "--model", "builtin",
            "--transcriber", f"tcp://{self.transcriber.address}", "--speech", f"tcp://{self.streaming.address}",
            "--mqtt", f"mqtt://house@127.0.0.1:{self.suite.broker.port}")
        try:
            await asyncio.wait_for(done.wait(), 30)
        except asyncio.TimeoutError:
            pass
        code = await asyncio.to_thread(haft.end)
        kinds = [event.type for event in events]
        texts = [Transcript.from_event(event).text for event in events if Transcript.is_type(event.type)]
        self.check("a satellite is told what was heard", texts == ["turn on the kitchen light"], (kinds, haft.trace()))
        self.check("and plays the answer", sum(map(len, sound)) > 20_000 and "synthesize" in kinds, (kinds, haft.trace()))
        self.check("and the light is on", self.suite.devices.poll(LIGHT) == [True], haft.trace())
        self.check("and the broker was told", self.suite.broker.heard("voice/transcription turn on the kitchen light"), self.suite.broker.lines)
        self.check("listening ends when it is asked to", code in (0, 143), code)

import { isDeep, messageOf, readLines, sleep, tooLong } from "@pith/kit";
import { version } from "../../../../../package.json";
import { exit } from "../../io/interrupt.ts";
import { type Io, jsonLine } from "../../io/io.ts";
import type { SessionSlot } from "../../open/slot.ts";
import type { Response } from "../../wire/frame.ts";
import { LineWriter } from "../../wire/line-writer.ts";
import { wireVersion } from "../../wire/version.ts";

/** Commands that one line may hold at most. */
const maxLine = 32 * 1024 * 1024;
/** Characters that wait for a reader before no more commands are taken either. */
const crowded = 32 * 1024 * 1024;
/** How long a command that is not done, or a reader that takes nothing, is waited for once nobody sends any more. */
const patienceMs = 5000;

/** Until nobody sends any more, or somebody asks to leave: then what runs ends in order. */
export async function runRpc(place: SessionSlot, io: Io): Promise<number> {
  const feed = new LineWriter(io.writes, (line) => jsonLine(line, io));
  const { coder } = place.current;
  feed.push({
    type: "ready",
    protocol: wireVersion,
    version,
    sessionId: coder.header.id,
    sessionFile: coder.file,
    cwd: coder.header.cwd,
  });
  // Whoever reads that will take a moment to say something; what carries it out is loaded meanwhile.
  const [{ createSessionHost }, { Dispatcher, notParsed }] = await Promise.all([
    import("../../open/session-host.ts"),
    import("../../wire/dispatcher.ts"),
  ]);
  const over = Promise.withResolvers<void>();
  const underway = new Set<Promise<void>>();
  using station = createSessionHost(
    {
      place,
      emit: (line) => feed.push(line),
      room: (signal) => feed.room(undefined, signal),
      // The answer to what asked for it goes out first.
      leave: () => void Promise.allSettled(underway).then(() => over.resolve()),
    },
    io,
  );
  const dispatcher = new Dispatcher(station);
  const answerTo = (line: string): Promise<Response | undefined> | Response => {
    if (isDeep(line)) return notParsed("This nests too deep.");
    try {
      return dispatcher.take(JSON.parse(line), (answer) => feed.push(answer));
    } catch (error) {
      return notParsed(`This is not JSON: ${messageOf(error)}`);
    }
  };
  const take = async (line: string | typeof tooLong): Promise<void> => {
    const answer = await (line === tooLong ? notParsed(`A line has at most ${maxLine} bytes.`) : answerTo(line));
    if (answer) feed.push(answer);
  };
  using _signals = io.interrupts.handle(() => over.resolve());
  feed.onFault = () => over.resolve();
  const read = async () => {
    for await (const line of readLines(io.input.bytes(), maxLine)) {
      const done = take(line);
      underway.add(done);
      void done.then(() => underway.delete(done));
      if (feed.size > crowded) await feed.room(crowded);
    }
  };
  await Promise.race([
    read().catch((error) => io.log.write("warn", "stdin", { message: messageOf(error) })),
    over.promise,
  ]);
  for (const running of station.performing) running.abort("the client has left");
  for (const { id } of station.coder.scene.questions)
    station.coder.answer(id, { say: "no", by: "nobody", words: "nobody is there any more" });
  station.tools.close();
  // What was sent last is taken before it is ended.
  await Promise.race([Promise.allSettled(underway), sleep(100)]);
  await station.coder.interrupt("the client has left");
  await Promise.race([Promise.allSettled(underway), sleep(patienceMs)]);
  await feed.flush(patienceMs);
  return exit.finished;
}

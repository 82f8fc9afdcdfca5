import { messageOf, readLines, sleep } from "@pith/kit";
import { version } from "../../../../../package.json";
import { exit } from "../../io/interrupt.ts";
import { type Io, jsonLine } from "../../io/io.ts";
import type { SessionSlot } from "../../open/slot.ts";
import { LineWriter } from "../../wire/line-writer.ts";
import { wireVersion } from "../../wire/version.ts";

/** Characters that wait for a reader before no more commands are taken either. */
const maxWaiting = 32 * 1024 * 1024;
/** Milliseconds for a command that still runs, or a reader that takes nothing, once nobody sends any more. */
const timeoutMs = 5000;

/** Serves one client until it sends no more, or asks to leave; then what runs is ended in order. */
export async function runRpc(slot: SessionSlot, io: Io): Promise<number> {
  const writer = new LineWriter(io.writes, (line) => jsonLine(line, io));
  const { header, file } = slot.current.coder;
  const { id: sessionId, cwd } = header;
  writer.push({ type: "ready", protocol: wireVersion, version, sessionId, sessionFile: file, cwd });
  // The client takes a moment to read that and to say something; what carries it out is loaded meanwhile.
  const [{ SlotHost }, { Dispatcher, maxLine }] = await Promise.all([
    import("../../open/session-host.ts"),
    import("../../wire/dispatcher.ts"),
  ]);
  const over = Promise.withResolvers<void>();
  const running = new Set<Promise<unknown>>();
  using host = new SlotHost(
    {
      slot,
      stays: undefined,
      emit: (line) => writer.push(line),
      room: (signal) => writer.room(undefined, signal),
      // The response to the command that asked for it goes out first.
      leave: () => void Promise.allSettled(running).then(() => over.resolve()),
    },
    io,
  );
  const dispatcher = new Dispatcher(host);
  using _signals = io.interrupts.handle(() => over.resolve());
  writer.onFault = () => over.resolve();
  const read = async () => {
    for await (const line of readLines(io.input.bytes(), maxLine)) {
      const done = dispatcher.takeLine(line, (early) => writer.push(early)).then((last) => last && writer.push(last));
      running.add(done);
      void done.then(() => running.delete(done));
      if (writer.size > maxWaiting) await writer.room(maxWaiting);
    }
  };
  const unreadable = (error: unknown) => io.log.write("warn", "stdin", { message: messageOf(error) });
  await Promise.race([read().catch(unreadable), over.promise]);
  for (const performing of host.performing) performing.abort("the client has left");
  for (const { id } of host.coder.scene.questions)
    host.coder.answer(id, { say: "no", by: "nobody", words: "nobody is there any more" });
  host.tools.close();
  // A command that was sent last is taken before all is ended.
  await Promise.race([Promise.allSettled(running), sleep(100)]);
  await host.coder.interrupt("the client has left");
  await Promise.race([Promise.allSettled(running), sleep(timeoutMs)]);
  await writer.flush(timeoutMs);
  return exit.finished;
}

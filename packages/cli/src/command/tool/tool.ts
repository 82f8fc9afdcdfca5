import { keys, openToolbox, specOf, type Toolbox } from "@pith/coder";
import { formatBytes, messageOf, plainText, whenAborted } from "@pith/kit";
import type { ToolResultMessage } from "@pith/llm";
import { launchFlags } from "../../argv/flag.ts";
import { noSuch } from "../../argv/unknown.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { linesOf } from "../../io/line.ts";
import { openProject } from "../../open/project.ts";
import { inWindow, printList } from "../list.ts";
import { subcommand } from "../subcommand.ts";

type Result = Pick<ToolResultMessage, "content" | "details" | "isError">;

/** Runs a built-in tool as the model would. A person does it, so nothing is asked. */
export const tool = subcommand({
  usage: "[<name> '<json>' | --batch]",
  about: "run a tool as the model would",
  help: "tool",
  options: {
    json: { takes: "nothing", about: "the whole result as JSON" },
    batch: { takes: "nothing", about: "one call per line of standard input, one result per line" },
    config: { takes: "texts", as: "file", about: "settings for this run" },
    cwd: launchFlags.cwd,
    "add-dir": { takes: "texts", as: "dir", about: "another folder of the project" },
  },
  words: () =>
    Object.fromEntries(
      keys.flatMap((key) => (specOf(key).group === "Tools" ? [[key.replace(/\.enabled$/, ""), []]] : [])),
    ),
  async run({ flags, words: [name, json, ...more] }, io) {
    const project = await openProject(flags, io);
    if (!project.ok) return usage(io, project.message);
    await using box = openToolbox({
      cwd: project.value.cwd,
      settings: project.value.settings,
      home: io.home,
      userHome: io.userHome,
      env: io.env,
      commandEnv: io.given,
      tell: (text) => complain(io, text),
    });
    const stop = new AbortController();
    using _ = io.interrupts.handle(() => (stop.signal.aborted ? io.quit(exit.interrupted) : stop.abort()));
    if (flags.batch)
      return name === undefined
        ? await batch(box, io, stop.signal)
        : usage(io, "--batch reads its calls from standard input");
    if (name === undefined) return await list(box, io);
    if (!box.names().includes(name)) return usage(io, noSuch("tool", name, box.names()));
    if (json === undefined || more.length > 0)
      return usage(io, `give the input as one JSON argument: pith tool ${name} '{…}'`);
    const input = parseJson(json);
    if ("wrong" in input)
      return usage(io, `the input is not JSON (${input.wrong}); quote it for the shell: pith tool ${name} '{"…": …}'`);
    const result = await box.run(name, input.value, stop.signal);
    const text = textOf(result);
    io.out.write(flags.json ? jsonLine(answerOf(result), io) : `${io.outIs === "device" ? plainText(text) : text}\n`);
    if (stop.signal.aborted) return exit.interrupted;
    return result.isError ? exit.unfinished : exit.finished;
  },
});

async function batch(box: Toolbox, io: Io, signal: AbortSignal): Promise<number> {
  const lines = linesOf(io.input);
  const stopped = whenAborted(signal).promise.then(() => "stopped" as const);
  while (!signal.aborted && !io.out.fault) {
    const next = await Promise.race([lines.next(), stopped]);
    if (next === "stopped") break;
    if (next.done) return exit.finished;
    if (next.value.trim() !== "") io.out.write(jsonLine(answerOf(await runLine(box, next.value, signal)), io));
  }
  return exit.interrupted;
}

async function runLine(box: Toolbox, line: string, signal: AbortSignal): Promise<Result> {
  const call = parseJson(line);
  if ("wrong" in call) return wrong(`This line is not JSON (${call.wrong}).`);
  const { name, input } = (call.value ?? {}) as { name?: unknown; input?: unknown };
  if (typeof name !== "string" || input === null || typeof input !== "object")
    return wrong('A line is {"name": "<tool>", "input": {…}}.');
  return box.run(name, input, signal);
}

async function list(box: Toolbox, io: Io): Promise<number> {
  // The first sentence says what it is for; the rest is for the model.
  const names = box.names();
  const room = Math.max(...names.map((name) => name.length)) + 2;
  const lines = names.map((name) =>
    inWindow(`${name.padEnd(room)}${box.about(name)?.split(/(?<=\.)\s/, 1)[0] ?? ""}`, io),
  );
  await printList(lines, io);
  return exit.finished;
}

/** The text that the model reads, with the fields of the record. */
const answerOf = ({ content, isError, details }: Result) => ({ text: textOf({ content }), content, isError, details });

const textOf = ({ content }: Pick<Result, "content">): string =>
  content.map((part) => (part.type === "text" ? part.text : `[${part.mimeType} image, ${sizeOf(part)}]`)).join("\n");

const sizeOf = ({ data }: { data: string }): string => formatBytes(Math.floor((data.length * 3) / 4));

const wrong = (text: string): Result => ({
  content: [{ type: "text", text }],
  details: { kind: "prose" },
  isError: true,
});

function parseJson(text: string): { value: unknown } | { wrong: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { wrong: messageOf(error) };
  }
}

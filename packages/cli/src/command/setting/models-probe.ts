import { loadAdmin } from "@pith/llm";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine } from "../../io/io.ts";
import { type Column, printColumns } from "../list.ts";

const columns: readonly Column[] = [{ head: "tried" }, { head: "works" }, { head: "what came", gives: true }];

/** Tries what a model and its server can do. */
export async function probeModel(name: string, form: "table" | "json", io: Io): Promise<number> {
  const { probe } = await loadAdmin();
  const probed = await probe(name, { env: io.env, home: io.home }, new AbortController().signal);
  if (!probed.ok) {
    complain(io, probed.message);
    return probed.kind === "unresolved" ? exit.usage : exit.unfinished;
  }
  const { model, findings, learned, notes } = probed.value;
  for (const note of notes) complain(io, note);
  if (form === "json") io.out.write(jsonLine({ model, learned, findings }, io));
  else {
    const rows = findings.map(({ name: what, verdict, says }) => [what, verdict, says]);
    await printColumns(columns, rows, io);
  }
  if (learned.profile) complain(io, `${model} is worked with by the profile ${learned.profile} from now on`);
  if (learned.calls !== "none") return exit.finished;
  complain(io, `${model} cannot call tools`);
  return exit.unfinished;
}

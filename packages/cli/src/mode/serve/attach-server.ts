import type { Event } from "@pith/agent";
import { abortSignal, type Coder, type VerbTable, verbNamed, verbs } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { readBody, refused } from "@pith/serve";
import { type CarriedJob, carriedJobs, jobsMark } from "./attached-jobs.ts";
import type { HostedSession } from "./hosted-session.ts";

/** State of a conversation that no event tells of. */
export interface SessionFacts {
  held: Coder["choice"];
  file: string | undefined;
}

/** The first line for an attached interface. */
export interface Hello extends SessionFacts {
  header: Coder["header"];
  /** All of the record, so that its other branches can be gone to. */
  entries: ReturnType<Coder["path"]>;
  leaf: string | null;
  scene: Coder["scene"];
  jobs: CarriedJob[];
  commands: {
    name: string;
    about: string;
    usage?: string | undefined;
    aliases?: readonly string[] | undefined;
    when?: "any time" | "idle" | undefined;
  }[];
}
export type AttachLine = { hello: Hello } | { event: Event } | SessionFacts | { jobs: CarriedJob[] };

/** Answers an interface that is attached to a session. Only over the user's socket, or with the full token. */
export async function attachResponse(
  request: Request,
  hosted: HostedSession,
  name: string,
  table: VerbTable = verbs,
): Promise<Response> {
  if (request.method === "GET" && name === "") return stream(hosted);
  const body = request.method === "POST" ? await readBody(request) : undefined;
  if (!body) return new Response(null, { status: 404 });
  if (!body.ok) return refused(body.status, body.why);
  const args = Array.isArray(body.value) ? body.value : [];
  if (name === "stop") return Response.json({ value: hosted.stop(String(args[0])) });
  if (name === "jobs") return Response.json({ value: carriedJobs(hosted.coder) });
  const read = readArguments(table, name, args);
  if (!read) return new Response(null, { status: 404 });
  if ("wrong" in read) return refused(400, read.wrong);
  try {
    const id = new URL(request.url).searchParams.get("id") ?? undefined;
    return Response.json({ value: (await hosted.carryOut(name, read.args, id)) ?? null });
  } catch (error) {
    return refused(500, messageOf(error));
  }
}

/** Checks the arguments of a verb; undefined when no verb of that name is carried to another process. */
function readArguments(
  table: VerbTable,
  name: string,
  args: readonly unknown[],
): { args: (signal: AbortSignal) => unknown[] } | { wrong: string } | undefined {
  const verb = verbNamed(table, name);
  if (verb?.elsewhere.is !== "request" && verb?.elsewhere.is !== "optimistic") return undefined;
  const { takes } = verb;
  if (args.length > takes.length) return { wrong: `${name} takes ${takes.length} arguments` };
  const read = takes.map((schema, at) => schema.safeParse(args[at]));
  const issues = read.flatMap((one, at) =>
    one.success ? [] : one.error.issues.map(({ path, message }) => `${[at, ...path].join(".")}: ${message}`),
  );
  if (issues.length > 0) return { wrong: issues.join("; ") };
  return {
    args: (signal) => read.map((one, at) => (takes[at] === abortSignal ? signal : one.success ? one.data : undefined)),
  };
}

/** Streams what happens in a session. An interface that takes nothing is cut off; it may come again. */
function stream(hosted: HostedSession): Response {
  const { coder } = hosted;
  const encoder = new TextEncoder();
  let listening: Disposable | undefined;
  let last = { held: JSON.stringify(heldOf(coder)), jobs: jobsMark(coder) };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let maxWaiting = Number.POSITIVE_INFINITY;
        const tell = (line: AttachLine) => {
          controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
          if (-(controller.desiredSize ?? 0) < maxWaiting) return;
          listening?.[Symbol.dispose]();
          controller.error(undefined);
        };
        const tellChanges = () => {
          const now = { held: JSON.stringify(heldOf(coder)), jobs: jobsMark(coder) };
          if (now.held !== last.held) tell(heldOf(coder));
          if (now.jobs !== last.jobs) tell({ jobs: carriedJobs(coder) });
          last = now;
        };
        tell({ hello: helloOf(coder) });
        // A session of any length may be attached to.
        maxWaiting = maxBytes - (controller.desiredSize ?? 0);
        const over = () => {
          listening?.[Symbol.dispose]();
          controller.close();
        };
        listening = hosted.attach((event) => {
          // Words that stream change nothing of it, and there are many.
          if (event.type !== "delta") tellChanges();
          tell({ event });
        }, over);
      },
      cancel: () => listening?.[Symbol.dispose](),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  );
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}

const maxBytes = 32 * 1024 * 1024;

const heldOf = ({ file, choice }: Coder): SessionFacts => {
  const { model, effort, approval, dialect, queue, compaction } = choice;
  return { held: { model, effort, approval, dialect, compaction, queue }, file };
};

const helloOf = (coder: Coder): Hello => ({
  ...heldOf(coder),
  header: coder.header,
  entries: [...coder.record.entries()],
  leaf: coder.record.leaf(),
  scene: coder.scene,
  jobs: carriedJobs(coder),
  commands: coder.commands.rows.map(({ name, about, usage, aliases, when }) => ({ name, about, usage, aliases, when })),
});

import type { Event } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { readBody } from "@pith/serve";
import type { HostedSession } from "./hosted-session.ts";
import { jobsMark, type ToldJob, toldJobs } from "./remote-jobs.ts";
import { isVerb, perform } from "./verb.ts";

/** How a conversation is held, as a face of ours shows it. */
const heldBy = ({ model, choice: { effort, approval, dialect, queue, compaction } }: Coder): Held => ({
  model,
  effort,
  approval,
  dialect,
  compaction,
  queue,
});
export type Held = Coder["choice"];

/** What the first line of a mirror tells. */
export interface Hello {
  header: Coder["header"];
  file: string | undefined;
  held: Held;
  /** All of the record, so that its other branches can be gone to. */
  entries: ReturnType<Coder["path"]>;
  leaf: Coder["leaf"];
  scene: Coder["scene"];
  jobs: ToldJob[];
  commands: {
    name: string;
    about: string;
    usage?: string | undefined;
    aliases?: readonly string[] | undefined;
    when: "any time" | "idle";
  }[];
}
export type Told = { hello: Hello } | { event: Event } | { held: Held } | { jobs: ToldJob[] };

/** A stream of our own events, or one verb. Only over the socket of the user, or with the full token. */
export async function mirrored(request: Request, hosted: HostedSession, verb: string): Promise<Response> {
  if (request.method === "GET" && verb === "") return stream(hosted);
  if (request.method !== "POST" || !isVerb(verb)) return new Response(null, { status: 404 });
  const body = await readBody(request);
  if (!body.ok) return Response.json({ error: body.why }, { status: body.status });
  try {
    const done = await perform(hosted.coder, verb, body.value);
    if ("wrong" in done) return Response.json({ error: done.wrong }, { status: 400 });
    return Response.json({ value: done.value ?? null });
  } catch (error) {
    return Response.json({ error: messageOf(error) }, { status: 500 });
  }
}

function stream(hosted: HostedSession): Response {
  const encoder = new TextEncoder();
  let listening: Disposable | undefined;
  let held = "";
  let jobs = jobsMark(hosted.coder);
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let most = Number.POSITIVE_INFINITY;
        const tell = (told: Told) => {
          controller.enqueue(encoder.encode(`${JSON.stringify(told)}\n`));
          if (-(controller.desiredSize ?? 0) < most) return;
          // A face that stands still is let go, and hears nothing more; it may come again.
          listening?.[Symbol.dispose]();
          controller.error(undefined);
        };
        const holds = () => {
          const now = JSON.stringify(heldBy(hosted.coder));
          if (held !== "" && now !== held) tell({ held: heldBy(hosted.coder) });
          held = now;
          const mark = jobsMark(hosted.coder);
          if (mark !== jobs) tell({ jobs: toldJobs(hosted.coder) });
          jobs = mark;
        };
        tell({ hello: hello(hosted.coder) });
        // However long the session is, it may be looked at.
        most = mostBytes - (controller.desiredSize ?? 0);
        holds();
        const over = () => {
          listening?.[Symbol.dispose]();
          controller.close();
        };
        listening = hosted.mirror((event) => {
          // Words that stream change nothing of it, and there are many.
          if (event.type !== "delta") holds();
          tell({ event });
        }, over);
      },
      cancel: () => listening?.[Symbol.dispose](),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  );
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}

const mostBytes = 32 * 1024 * 1024;

const hello = (coder: Coder): Hello => ({
  header: coder.header,
  file: coder.file,
  held: heldBy(coder),
  entries: [...coder.entries()],
  leaf: coder.leaf,
  scene: coder.scene,
  jobs: toldJobs(coder),
  commands: coder.commands.rows.map(({ name, about, usage, aliases, when }) => ({ name, about, usage, aliases, when })),
});

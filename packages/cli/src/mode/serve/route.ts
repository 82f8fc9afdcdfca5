import { isAbsolute } from "node:path";
import { type Access, bodyOf } from "@pith/serve";
import { Feed } from "../../wire/line-writer.ts";
import { wireVersion } from "../../wire/version.ts";
import type { Hosted } from "./hosted-session.ts";
import { mirrored } from "./remote-server.ts";
import type { Host } from "./sessions.ts";

/** Characters that a reader of events may leave waiting before it is cut off. */
const mostWaiting = 16 * 1024 * 1024;

export interface Wanted {
  request: Request;
  /** Of its address. */
  pathname: string;
  access: Access;
}

/** What is asked over a socket, already let in. */
export async function answer({ request, pathname, access }: Wanted, host: Host): Promise<Response> {
  const words = decoded(pathname);
  if (!words) return refused(400, "that address cannot be read");
  const [, , , id = "", what = "", more = ""] = words;
  const { method } = request;
  if (pathname === "/v1/sessions" && method === "GET") return json({ protocol: wireVersion, access, ...host.facts() });
  if (method !== "GET" && access === "watch") return refused(403, "this token may only watch");
  if (pathname === "/v1/sessions" && method === "POST") return opened(request, host);
  if (pathname === "/v1/stop" && method === "POST") {
    setTimeout(() => host.stop(), 10);
    return json({ stopping: true });
  }
  const hosted = pathname.startsWith("/v1/sessions/") ? host.get(id) : undefined;
  if (!hosted) return refused(404, "there is no such session here");
  if (what === "events" && method === "GET") return events(request, hosted);
  if (what === "mirror" && access === "full") return mirrored(request, hosted, more);
  if (what === "rpc" && method === "POST") return command(request, hosted);
  if (what === "changes" && method === "GET") return json(await hosted.changes(more));
  if (what === "" && method === "DELETE") {
    await host.close(hosted);
    return json({ closed: hosted.id });
  }
  return refused(405, "that cannot be done here");
}

function decoded(pathname: string): string[] | undefined {
  try {
    return pathname.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

const json = (value: unknown, status = 200): Response =>
  new Response(`${JSON.stringify(value)}\n`, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
export const refused = (status: number, error: string): Response => json({ error }, status);

async function opened(request: Request, host: Host): Promise<Response> {
  const body = await bodyOf(request);
  if (!body.ok) return refused(body.status, body.why);
  const { cwd, session, model } = (body.value ?? {}) as Record<string, unknown>;
  if (typeof cwd !== "string" || !isAbsolute(cwd) || cwd.includes("\0"))
    return refused(400, '"cwd" names the directory of the session, from the root on');
  // Nobody who names one session wants another.
  if (!isText(session)) return refused(400, '"session" is the id of one, or left out');
  if (!isText(model)) return refused(400, '"model" is the name of one, or left out');
  const made = await host.open({ cwd, session, model });
  return made.ok ? json(made.value.facts(), 201) : refused(400, made.message);
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === "string";

async function command(request: Request, hosted: Hosted): Promise<Response> {
  const body = await bodyOf(request);
  if (!body.ok) return refused(body.status, body.why);
  return json((await hosted.take(body.value)) ?? { type: "response", success: true });
}

/** Events as they come. The id of one is its entry: who comes again names it, and misses nothing. */
function events(request: Request, hosted: Hosted): Response {
  const since = request.headers.get("last-event-id") ?? undefined;
  let watching: Disposable | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;
  const end = () => {
    watching?.[Symbol.dispose]();
    clearInterval(beat);
  };
  const pulled = pullable();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder();
      const ids = new WeakMap<object, string>();
      const feed = new Feed(
        async (text) => {
          await pulled.wanted();
          controller.enqueue(encoder.encode(text));
        },
        (line) => `${ids.has(line) ? `id: ${ids.get(line)}\n` : ""}data: ${JSON.stringify(line)}\n\n`,
      );
      let most = Number.POSITIVE_INFINITY;
      const ended = (how: "close" | "error") => {
        end();
        try {
          controller[how]();
        } catch {
          // It has gone already.
        }
      };
      const over = () => {
        end();
        void feed.flush(1000).then(() => ended("close"));
      };
      watching = hosted.watch(
        (line, entry) => {
          if (entry !== undefined && isName.test(entry)) ids.set(line, entry);
          feed.push(line);
          if (feed.size > most) ended("error");
        },
        over,
        since,
      );
      // However long the scene is, it may be looked at.
      most = feed.size + mostWaiting;
      // Proxies close what is silent.
      beat = setInterval(() => pulled.idle() && controller.enqueue(encoder.encode(": here\n\n")), 15_000);
    },
    pull: () => pulled.pull(),
    cancel: end,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

/** An id that can stand in a line of its own. A record may be a stranger's, and its ids anything. */
const isName = /^[\x21-\x7e]{1,200}$/;

/** Lets a writer wait until a reader wants more. */
function pullable() {
  let waiting = Promise.withResolvers<void>();
  let wants = false;
  return {
    pull() {
      wants = true;
      waiting.resolve();
    },
    idle: () => wants,
    async wanted() {
      while (!wants) {
        waiting = Promise.withResolvers();
        await waiting.promise;
      }
      wants = false;
    },
  };
}

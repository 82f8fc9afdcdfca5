import { isAbsolute } from "node:path";
import { tryOr } from "@pith/kit";
import { type Admitted, eventStream, jsonResponse, readBody, refused } from "@pith/serve";
import { LineWriter } from "../../wire/line-writer.ts";
import { wireVersion } from "../../wire/version.ts";
import { attachResponse } from "./attach-server.ts";
import type { HostedSession } from "./hosted-session.ts";
import type { HostedSessions } from "./sessions.ts";

/** Answers a request that was let in. */
export async function answer({ request, pathname, access }: Admitted, host: HostedSessions): Promise<Response> {
  const segments = tryOr(() => pathname.split("/").map(decodeURIComponent));
  if (!segments) return refused(400, "that address cannot be read");
  const [, , , id = "", what = "", more = ""] = segments;
  const { method } = request;
  if (pathname === "/v1/sessions" && method === "GET")
    return jsonResponse({ protocol: wireVersion, access, ...host.facts() });
  if (pathname === "/v1/prose") return drawn(request);
  if (method !== "GET" && access === "watch") return refused(403, "this token may only watch");
  if (pathname === "/v1/sessions" && method === "POST") return opened(request, host);
  if (pathname === "/v1/stop" && method === "POST") {
    setTimeout(() => host.stop(), 10);
    return jsonResponse({ stopping: true });
  }
  const hosted = pathname.startsWith("/v1/sessions/") ? host.get(id) : undefined;
  if (!hosted) return refused(404, "there is no such session here");
  if (what === "events" && method === "GET") return events(request, hosted);
  if (what === "mirror" && access === "full") return attachResponse(request, hosted, more);
  if (what === "rpc" && method === "POST") return command(request, hosted);
  if (what === "changes" && method === "GET") return jsonResponse(await hosted.changes(more));
  if (what === "" && method === "DELETE") {
    await host.close(hosted);
    return jsonResponse({ closed: hosted.id });
  }
  return refused(405, "that cannot be done here");
}

async function opened(request: Request, host: HostedSessions): Promise<Response> {
  const body = await readBody(request);
  if (!body.ok) return refused(body.status, body.why);
  const { cwd, session, model } = (body.value ?? {}) as Record<string, unknown>;
  if (typeof cwd !== "string" || !isAbsolute(cwd) || cwd.includes("\0"))
    return refused(400, '"cwd" names the directory of the session, from the root on');
  // A wrong name must not open another session instead.
  if (!isText(session)) return refused(400, '"session" is the id of one, or left out');
  if (!isText(model)) return refused(400, '"model" is the name of one, or left out');
  const made = await host.open({ cwd, session, model });
  return made.ok ? jsonResponse(made.value.facts(), 201) : refused(400, made.message);
}

/** Draws texts of a session for the page; nothing changes by it. */
async function drawn(request: Request): Promise<Response> {
  const body = await readBody(request);
  if (!body.ok) return refused(body.status, body.why);
  const texts = Array.isArray(body.value) ? body.value.map(String) : [];
  const [{ proseHtml }, { loadCode }] = await Promise.all([
    import("../../export/prose.ts"),
    import("../../export/code.ts"),
  ]);
  const code = await loadCode(texts);
  return jsonResponse(texts.map((text) => proseHtml(text, code)));
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === "string";

async function command(request: Request, hosted: HostedSession): Promise<Response> {
  const body = await readBody(request);
  if (!body.ok) return refused(body.status, body.why);
  return jsonResponse((await hosted.take(body.value)) ?? { type: "response", success: true });
}

/** Streams the events of a session. The id of an event is its entry, so a reader that comes again misses nothing. */
const events = (request: Request, hosted: HostedSession): Response =>
  eventStream(request, {
    createQueue: (write, encode) => new LineWriter(write, encode),
    watch: (push, over, lastId) => hosted.watch(push, over, lastId),
  });

import { expect, test } from "bun:test";
import type { Admitted } from "@pith/serve";
import { answer } from "./route.ts";

/** A host that notes what it is told to do. */
function host() {
  const did: string[] = [];
  const session = {
    id: "s1",
    facts: () => ({ sessionId: "s1" }),
    take: async (command: unknown) => {
      did.push(`take ${JSON.stringify(command)}`);
      return { type: "response", success: true, said: command };
    },
    changes: async (question: string) => [{ question }],
    watch: () => ({ [Symbol.dispose]() {} }),
  };
  const all = {
    facts: () => ({ pid: 1, sessions: [] }),
    get: (id: string) => (id === "s1" ? session : undefined),
    close: async ({ id }: { id: string }) => did.push(`close ${id}`),
    stop: () => did.push("stop"),
    open: async (order: Record<string, unknown>) => {
      did.push(`open ${JSON.stringify(order)}`);
      return order.session === "none" ? { ok: false, message: "no such session" } : { ok: true, value: session };
    },
  };
  return { did, all: all as never };
}

async function ask(access: Admitted["access"], method: string, pathname: string, body?: unknown) {
  const { did, all } = host();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request(`http://127.0.0.1${pathname}`, { method, ...(body !== undefined && { body: text }) });
  const response = await answer({ request, pathname, access }, all);
  const said = response.headers.get("content-type") === "application/json" ? await response.json() : undefined;
  return { status: response.status, said, did };
}

const changing: [string, string, unknown?][] = [
  ["DELETE", "/v1/sessions/s1"],
  ["POST", "/v1/sessions/s1/rpc", { type: "get_state" }],
  ["POST", "/v1/sessions", { cwd: "/" }],
  ["POST", "/v1/stop"],
  ["PUT", "/v1/sessions/s1"],
  ["PATCH", "/v1/sessions/s1/events"],
  ["POST", "/v1/sessions/s1/mirror"],
];
test.each(changing)("the watching token may not %s %s, and nothing is done", async (method, path, body) => {
  expect(await ask("watch", method, path, body)).toEqual({
    status: 403,
    said: { error: "this token may only watch" },
    did: [],
  });
});

test("the watching token may look: at the list, at a session and its changes, but not mirror it", async () => {
  expect(await ask("watch", "GET", "/v1/sessions")).toMatchObject({ status: 200, said: { access: "watch", pid: 1 } });
  expect(await ask("watch", "GET", "/v1/sessions/s1/changes/q%2F1")).toMatchObject({ said: [{ question: "q/1" }] });
  expect(await ask("watch", "GET", "/v1/sessions/s1/mirror")).toMatchObject({ status: 405, did: [] });
  expect((await ask("watch", "POST", "/v1/prose", ["*so*"])).said[0]).toContain("<em>so</em>");
});

test("with the whole token a session is told, opened and closed", async () => {
  expect(await ask("full", "DELETE", "/v1/sessions/s1")).toEqual({
    status: 200,
    said: { closed: "s1" },
    did: ["close s1"],
  });
  const told = await ask("full", "POST", "/v1/sessions/s1/rpc", { type: "get_state" });
  expect(told.did).toEqual(['take {"type":"get_state"}']);
  expect(await ask("full", "POST", "/v1/sessions", { cwd: "/w", session: "a", model: "m" })).toMatchObject({
    status: 201,
    did: ['open {"cwd":"/w","session":"a","model":"m"}'],
  });
  expect(await ask("full", "POST", "/v1/sessions", { cwd: "/w", session: "none" })).toMatchObject({
    status: 400,
    said: { error: "no such session" },
  });
});

const wrong: [string, string, unknown, number, string][] = [
  ["POST", "/v1/sessions", { cwd: "w" }, 400, '"cwd" names'],
  ["POST", "/v1/sessions", { cwd: "/w\0" }, 400, '"cwd" names'],
  ["POST", "/v1/sessions", { cwd: 1 }, 400, '"cwd" names'],
  ["POST", "/v1/sessions", null, 400, '"cwd" names'],
  ["POST", "/v1/sessions", { cwd: "/w", session: 1 }, 400, '"session" is'],
  ["POST", "/v1/sessions", { cwd: "/w", model: {} }, 400, '"model" is'],
  ["POST", "/v1/sessions", "{", 400, "not JSON"],
  ["POST", "/v1/sessions/s1/rpc", "{", 400, "not JSON"],
  ["POST", "/v1/prose", "{", 400, "not JSON"],
  ["POST", "/v1/sessions/s1/rpc", "[".repeat(100_000), 400, "nests too deep"],
  ["GET", "/v1/sessions/s2/events", undefined, 404, "no such session"],
  ["DELETE", "/v1/other/s1", undefined, 404, "no such session"],
  ["GET", "/v1/sessions/s1", undefined, 405, "cannot be done"],
  ["GET", "/v1/sessions/s1/rpc", undefined, 405, "cannot be done"],
  ["DELETE", "/v1/sessions/s1/changes", undefined, 405, "cannot be done"],
  ["GET", "/v1/stop", undefined, 404, "no such session"],
  ["GET", "/v1/%E0%A4%A", undefined, 400, "cannot be read"],
];
test.each(wrong)("%s %s of %j is refused with its reason and does nothing", async (method, path, body, status, why) => {
  expect(await ask("full", method, path, body)).toEqual({
    status,
    said: { error: expect.stringContaining(why) },
    did: [],
  });
});

import { expect, test } from "bun:test";
import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { type Admitted, createTokens, listenAtAddress, listenAtSocket } from "./listen.ts";

const told: string[] = [];
const log = { write: (...said: unknown[]) => void told.push(JSON.stringify(said)) } as never;
const handle = async ({ pathname, access }: Admitted) => {
  if (pathname === "/broken") throw new Error("it broke");
  return Response.json({ pathname, access });
};
const nobody = async () => false;

test("tokens are long, and no two are alike", () => {
  const made = Array.from({ length: 20 }, createTokens).flatMap(({ full, watch }) => [full, watch]);
  expect(new Set(made).size).toBe(40);
  for (const token of made) expect(token).toMatch(/^[\w-]{43}$/);
});

test("a socket is for the user alone, answers with all rights, and has a lock", async () => {
  using dir = scratch();
  const file = dir.at("s.sock");
  const first = await listenAtSocket({ file, handle, log, isAlive: nobody });
  expect(first.ok).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const get = async (path: string) => (await fetch(`http://pith${path}`, { unix: file } as RequestInit)).json();
  expect(await get("/v1/x")).toEqual({ pathname: "/v1/x", access: "full" });
  expect(await get("/broken")).toEqual({ error: "internal error" });
  expect(told.at(-1)).toContain("it broke");
  // The lock keeps a second one away, whatever it is told of the first.
  expect(await listenAtSocket({ file, handle, log, isAlive: nobody })).toMatchObject({
    ok: false,
    kind: "busy",
    message: expect.stringContaining("a server runs already"),
  });
  if (!first.ok) throw new Error(first.message);
  await first.value.stop();
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("what is no socket, or is heard by somebody, is left alone and the lock is given back", async () => {
  using dir = scratch();
  const plain = dir.at("plain.sock");
  writeFileSync(plain, "mine");
  expect(await listenAtSocket({ file: plain, handle, log, isAlive: nobody })).toMatchObject({
    ok: false,
    message: expect.stringContaining("is no socket"),
  });
  expect(existsSync(`${plain}.lock`)).toBe(false);
  const link = dir.at("link.sock");
  symlinkSync(plain, link);
  expect((await listenAtSocket({ file: link, handle, log, isAlive: nobody })).ok).toBe(false);
  const live = Bun.listen({ unix: dir.at("live.sock"), socket: { data() {} } });
  const heard = await listenAtSocket({ file: dir.at("live.sock"), handle, log, isAlive: async () => true });
  expect(heard).toMatchObject({ ok: false, message: expect.stringContaining("a server runs already") });
  expect(existsSync(dir.at("live.sock"))).toBe(true);
  const dead = await listenAtSocket({ file: dir.at("live.sock"), handle, log, isAlive: nobody });
  expect(dead.ok).toBe(true);
  if (dead.ok) await dead.value.stop();
  live.stop(true);
  const long = dir.at(`${"x".repeat(108)}.sock`);
  expect(await listenAtSocket({ file: long, handle, log, isAlive: nobody })).toMatchObject({
    ok: false,
    message: expect.stringContaining("too long for a socket"),
  });
});

test("at an address the page is for anybody, all else for a token, which no log holds", async () => {
  const tokens = createTokens();
  const open = listenAtAddress({ address: "127.0.0.1", port: 0, tokens, handle, log });
  if (!open.ok) throw new Error(open.message);
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(new URL(path, open.value), { headers, method });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  expect(await (await get("/")).text()).toStartWith("<!doctype html>");
  expect((await get("/", { origin: "http://evil.example" })).status).toBe(403);
  expect((await get("/", {}, "POST")).status).toBe(401);
  expect(await (await get("/v1/x", bearer(tokens.full))).json()).toEqual({ pathname: "/v1/x", access: "full" });
  expect(await (await get("/v1/x", bearer(tokens.watch))).json()).toMatchObject({ access: "watch" });
  told.length = 0;
  const wrong = `${tokens.full.slice(0, -1)}!`;
  expect((await get("/v1/x", bearer(wrong))).status).toBe(401);
  expect(told.join()).toContain("a wrong token");
  expect(told.join()).not.toContain(wrong);
  expect((await get("/v1/x", { ...bearer(tokens.full), origin: "http://evil.example" })).status).toBe(403);
  const port = Number(new URL(open.value).port);
  expect(listenAtAddress({ address: "127.0.0.1", port, tokens, handle, log })).toMatchObject({
    ok: false,
    message: expect.stringContaining(`the port ${port} cannot be had`),
  });
});

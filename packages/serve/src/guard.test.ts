import { expect, test } from "bun:test";
import { Guard } from "./guard.ts";

test("who guesses tokens waits longer each time, nobody else does, and a right one ends it", async () => {
  const waited: number[] = [];
  const guard = new Guard({ full: "f", watch: "w" }, { address: "127.0.0.1", port: 1 }, async (ms) => waited.push(ms));
  const from = (address: string, token: string) => {
    const headers = { host: "127.0.0.1:1", authorization: `Bearer ${token}` };
    return guard.admit(new Request("http://127.0.0.1:1/", { headers }), address);
  };
  for (let count = 0; count < 4; count++) expect(await from("a", "x")).toMatchObject({ status: 401 });
  expect(waited.splice(0)).toEqual([250, 1000, 3000, 3000]);
  await from("b", "x");
  expect([await from("a", "w"), await from("a", "f")]).toEqual(["watch", "full"]);
  await from("a", "x");
  expect(waited.splice(0)).toEqual([250, 250]);
  // However many there are, the last ones are remembered.
  for (let count = 0; count < 1200; count++) await from(`c${count}`, "x");
  waited.length = 0;
  await from("c1199", "x");
  await from("b", "x");
  expect(waited).toEqual([1000, 250]);
});

const tokens = { full: "full-token-0123456789", watch: "watch-token-0123456789" };
const asked = (headers: Record<string, string>) => new Request("http://127.0.0.1/", { headers });
const bearer = (token: string) => ({ host: "127.0.0.1:80", authorization: `Bearer ${token}` });

test("a token counts whole: neither its beginning, nor another ending, nor more of it lets anybody in", async () => {
  const guard = new Guard(tokens, { address: "127.0.0.1", port: 80 }, async () => {});
  const said = async (headers: Record<string, string>) => {
    const admitted = await guard.admit(asked(headers));
    return typeof admitted === "string" ? admitted : [admitted.status, admitted.why];
  };
  expect(await said(bearer(tokens.full))).toBe("full");
  expect(await said(bearer(tokens.watch))).toBe("watch");
  const wrong = ["full-token-0123456788", "eull-token-0123456789", "full-tok", `${tokens.full}9`, "x"];
  for (const token of wrong) expect([token, await said(bearer(token))]).toEqual([token, [401, "a wrong token"]]);
  for (const authorization of ["", "Bearer ", `Basic ${tokens.full}`, `Bearer ${"x".repeat(201)}`, tokens.full])
    expect(await said({ host: "127.0.0.1:80", authorization })).toEqual([401, "no token"]);
});

test("the right token does not help a page of another site, and nobody waits for the answer", async () => {
  const waited: number[] = [];
  const guard = new Guard(tokens, { address: "127.0.0.1", port: 80 }, async (ms) => waited.push(ms));
  for (const more of [
    ["origin", "http://evil.example"],
    ["sec-fetch-site", "cross-site"],
  ])
    expect(await guard.admit(asked({ ...bearer(tokens.full), ...Object.fromEntries([more]) }))).toMatchObject({
      status: 403,
    });
  expect(waited).toEqual([]);
});

const host = "127.0.0.1:4100";
const foreign: [string, Record<string, string>, boolean][] = [
  ["no browser", { host }, false],
  ["the page itself", { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" }, false],
  ["an address that was typed", { host, "sec-fetch-site": "none" }, false],
  ["another site", { host, origin: "http://evil.example" }, true],
  ["a site that has our address in its name", { host, origin: `http://${host}.evil.example` }, true],
  ["a site that ends with our address", { host, origin: `http://evil.example?${host}` }, true],
  ["another scheme", { host, origin: `https://${host}` }, true],
  ["another port of this machine", { host, origin: "http://127.0.0.1:4101" }, true],
  ["a page without an origin", { host, origin: "null" }, true],
  ["a link on another site", { host, "sec-fetch-site": "cross-site" }, true],
  ["a page of the same domain", { host, "sec-fetch-site": "same-site" }, true],
  ["the name of this machine", { host: "LOCALHOST:4100" }, false],
  ["a domain that points here", { host: "evil.example:4100" }, true],
  ["no port", { host: "127.0.0.1" }, true],
  ["another port", { host: "127.0.0.1:41000" }, true],
  ["no host", { host: "" }, true],
];
test.each(foreign)("%s is told from another site by what a browser says of it", (_, headers, isForeign) => {
  const guard = new Guard(tokens, { address: "127.0.0.1", port: 4100 }, async () => {});
  expect(guard.isForeign(asked(headers))).toBe(isForeign);
});

const names: [string, number, string, boolean][] = [
  ["127.0.0.1", 80, "localhost", false],
  ["127.0.0.1", 80, "localhost:80", false],
  ["127.0.0.1", 80, "localhost:8080", true],
  ["192.168.1.2", 80, "192.168.1.2", false],
  ["192.168.1.2", 4100, "10.0.0.1:4100", true],
  ["0.0.0.0", 4100, "10.0.0.1:4100", false],
  ["0.0.0.0", 4100, "evil.example:4100", true],
  ["::", 4100, "[fe80::1]:4100", false],
  ["::", 4100, "evil.example:4100", true],
  ["FE80::1", 4100, "[fe80::1]:4100", false],
];
test.each(names)("a server at %s, port %i, asked as %s", (address, port, name, isForeign) => {
  expect(new Guard(tokens, { address, port }).isForeign(asked({ host: name }))).toBe(isForeign);
});

import { expect, test } from "bun:test";
import { endpointFrom } from "./endpoint.ts";

const at = (base: string | undefined) =>
  endpointFrom("OPENAI_BASE_URL", { OPENAI_BASE_URL: base }, "https://api.openai.com/v1");
const near = (base: string) => {
  const endpoint = at(base);
  return endpoint.ok ? endpoint.value.near : endpoint.message;
};

test("a server on this machine or in its network needs no key", () => {
  for (const host of [
    "127.0.0.1:8080",
    "localhost",
    "[::1]:1",
    "10.1.2.3",
    "172.20.0.2",
    "192.168.1.5",
    "100.100.1.1",
    "[fd00::1]",
    "[fe80::1]",
    "ollama:11434",
    "box.local",
    "host.docker.internal",
  ])
    expect([host, near(`http://${host}/v1`)]).toEqual([host, true]);
});

test("any other server does, also one whose name only looks local", () => {
  for (const host of [
    "api.openai.com",
    "8.8.8.8",
    "172.32.0.1",
    "11.0.0.1",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "10.example.com",
    "[2001:db8::1]",
  ])
    expect([host, near(`http://${host}/v1`)]).toEqual([host, false]);
});

test("an address that is none says which variable holds it, without what it holds", () => {
  for (const base of ["garbage", "ftp://host/v1", "file:///etc/passwd", "localhost:8080"]) {
    const endpoint = at(base);
    expect(endpoint).toMatchObject({ ok: false, kind: "vendor", message: expect.stringContaining("OPENAI_BASE_URL") });
  }
});

test("a shown address has no credentials and no query", () => {
  const endpoint = at("http://me:secret@127.0.0.1/v1/?token=abc");
  expect(endpoint.ok && endpoint.value.shown).toBe("http://127.0.0.1/v1");
});

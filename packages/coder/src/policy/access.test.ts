import { expect, test } from "bun:test";
import { freshState } from "../judge/state.ts";
import { type AroundCommand, accessFor, portsIn } from "./access.ts";
import { verdictOn } from "./verdict.ts";

const around: AroundCommand = {
  roots: freshState.roots,
  temporary: freshState.temporary,
  kept: [],
  isDirectory: (path) => /^\/(?:$|out$|out\/deep$|home$|etc$|dev$)/.test(path),
  mode: "workspace",
  reach: "hosts",
  refuses: async () => undefined,
  missingPorts: (ports) => ports,
  isForeign: () => false,
};
const access = async (command: string, more: Partial<AroundCommand> = {}) => {
  const got = await accessFor(verdictOn(command, "auto", freshState).parts, { ...around, ...more });
  if (!got.ok) return got.message;
  const { leaves, writes = [], hosts = [], ports = [] } = got.value ?? {};
  return leaves ?? ([...writes, ...hosts, ...ports].join(" ") || "nothing");
};

test("a yes grants what the words of a command name, and what cannot be named leaves the sandbox", async () => {
  const rows: [string, string][] = [
    ["npm test", "nothing"],
    ["chmod 777 a", "nothing"],
    ["touch /out/deep/a", "/out/deep"],
    ["cp a /out/deep", "/out/deep"],
    ["rm -rf /out/deep", "/out"],
    ["mkdir -p /out/a/b/c", "/out"],
    ["rm /out/*.txt", "/out"],
    ["echo x > /top", "sandbox"],
    ["dd of=/dev/sda", "sandbox"],
    ["curl https://Example.org/x", "example.org"],
    ["curl https://a@evil.example.org:8443/x", "evil.example.org"],
    ["curl --resolve a.org:443:1.2.3.4 https://a.org/", "network"],
    ["curl http://8.8.8.8/", "network"],
    ["curl localhost:3000 http://127.0.0.1/", "3000 80"],
    ["git clone https://github.com/a/b", "github.com"],
    ["git fetch origin", "sandbox"],
    ["git push origin main", "sandbox"],
    ["npm install left-pad", "registry.npmjs.org"],
    ["npm publish", "sandbox"],
    ["psql -h db -c 'select 1'", "network"],
    ["sudo apt install x", "sandbox"],
    ["docker run x", "sandbox"],
    ["kill -9 1234", "sandbox"],
    ["ssh host ls", "sandbox"],
    ["echo x > .github/workflows/a.yml", "sandbox"],
  ];
  for (const [command, expected] of rows) expect([command, await access(command)]).toEqual([command, expected]);
});

test("where hosts cannot be let through one by one, a command has the network of the machine, or leaves", async () => {
  expect(await access("curl https://example.org/", { reach: "network" })).toBe("network");
  expect(await access("curl https://example.org/", { reach: "nothing" })).toBe("sandbox");
  expect(await access("touch /out/a", { reach: "nothing" })).toBe("/out");
  expect(await access("touch /out/a", { isForeign: () => true })).toBe("sandbox");
});

test("what no yes can grant is a failure with its reason", async () => {
  expect(await access("curl https://a.org/", { refuses: async (host) => `${host} is closed` })).toContain("is closed");
  expect(await access("touch a", { mode: "read-only" })).toContain("sandbox.mode is read-only");
});

test("a port of this machine is read from words and errors, and no other number is one", () => {
  expect(portsIn("http://localhost:3000/a https://127.0.0.1 [::1]:5432 0.0.0.0:80")).toEqual([3000, 443, 5432, 80]);
  expect(portsIn("notlocalhost:3000 localhost.example.org:1 localhost localhost:99999 1.127.0.0.1:5")).toEqual([]);
});

// An allowed host through the whole way: command, relay, proxy, host. The hosts are on this machine, in a network of
// their own where it has an address of the internet.
import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { address, noWorld, openWorld, people } from "./world.ts";

type Came = Record<string, string> & { origin: unknown; heard: unknown; asked: string[]; "while it waited": unknown };
// A person is not asked about a name that is never given out to the world.
const hosts = [
  ..."allowed deep.below posts".split(" ").map((name) => `${name}.test`),
  "other.example.com",
  "asked.example.com",
  "refused.example.com",
];

for (const who of people)
  test.skipIf(noWorld("openssl"))(
    `as ${who}, commands reach the hosts that are allowed, by the ways that are, and a person is asked about another`,
    async () => {
      using world = openWorld(hosts);
      const [key = "", cert = ""] = ["key", "cert"].map((name) => join(world.place, name));
      const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=x"];
      expect(Bun.spawnSync(["openssl", "req", ...made, "-keyout", key, "-out", cert]).exitCode).toBe(0);
      chmodSync(key, 0o644);
      const script = join(import.meta.dir, "world-child.ts");
      const got = (await world.run(who, [script, address, key, cert])) as Came;
      expect(got.heard).toEqual([
        "GET allowed.test/plain",
        "GET allowed.test/handed",
        "GET deep.below.test/below",
        "POST posts.test/post x",
        "POST allowed.test/tls x",
        "GET asked.example.com/asked",
        "GET asked.example.com/asked",
        "GET allowed.test/got",
      ]);
      for (const name of ["plain", "handed", "below", "allowed post", "tls"])
        expect(got[name]).toStartWith("answer of /");
      expect(got["plain post"]).toContain("POST is not allowed without encryption");
      expect(got.unlisted).toContain("[The sandbox blocked: other.example.com: it is not named by sandbox.domains");
      expect(got.inner).toContain("inner.test: 127.0.0.1 is not an address on the internet");
      expect(got["by hand"]).toContain("Network is unreachable");
      expect(got["by hand"]).not.toContain("other.example.com");
      expect(got.origin).toEqual({ from: "network", what: "allowed.test" });
      expect(got["after strangers"]).toContain("brought by bash from the network (allowed.test)");
      expect(got["while it waited"]).toBe(0);
      // Painted once as it is asked and once with its answer: two hosts, one question each.
      expect([...new Set(got.asked)]).toEqual([
        "wants to reach asked.example.com",
        "wants to reach refused.example.com",
      ]);
    },
    60_000,
  );

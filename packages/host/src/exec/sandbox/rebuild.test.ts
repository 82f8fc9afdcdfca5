import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { scratch, until } from "@pith/kit/test";
import { need } from "../../../../../test/need.ts";
import { sandboxed } from "../../test/sandboxed.ts";

const blinking = `let n = 0; const at = () => process.argv[1] + "/" + process.pid + "-" + n++;
for (;;) { const all = Array.from({ length: 4 }, () => Bun.listen({ unix: at(), socket: { data() {} } }));
Bun.write(process.argv[1] + "/begun", ""); await Bun.sleep(3); for (const one of all) one.stop(true); }`;

test.skipIf(need("bwrap") !== undefined)(
  "sockets that come and go while sandboxes are built keep no command from running",
  async () => {
    using dir = scratch();
    mkdirSync(dir.at("sockets"));
    const child = Bun.spawn([process.execPath, "-e", blinking, dir.at("sockets")], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    try {
      await until(() => Bun.file(dir.at("sockets/begun")).size >= 0 && child.exitCode === null, "the sockets");
      using here = sandboxed(dir.path, { readable: () => [dir.at("sockets")] });
      for (let turn = 0; turn < 15; turn++) {
        // Too long for shells that were built ahead.
        here.sandbox.lookAgain();
        expect(await here.run(`echo ${turn}`)).toBe(`${turn}\n`);
      }
    } finally {
      child.kill();
      await child.exited;
    }
  },
  60_000,
);

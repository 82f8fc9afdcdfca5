// A job swaps a folder for a link to a place outside while pith takes back what it made: nothing outside is moved.
import { expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { takeBack } from "../../packages/host/src/exec/confine/guard.ts";
import { scratch } from "../scratch.ts";
import { flip } from "./flip.ts";

test.skipIf(process.platform !== "linux")(
  "what a command made is taken back from where it stands, and never from where a link leads by then",
  async () => {
    using dir = scratch();
    for (const folder of ["work/d", "out"]) mkdirSync(dir.at(folder), { recursive: true });
    symlinkSync(dir.at("out"), dir.at("work/l"));
    writeFileSync(dir.at("out/config"), "mine");
    const inside = openSync(dir.at("work/d"), "r");
    const flipper = await flip(dir);
    let taken = 0;
    for (const end = Date.now() + 1500; Date.now() < end && existsSync(dir.at("out/config")); ) {
      writeFileSync(`/proc/self/fd/${inside}/config`, "made");
      if (takeBack(dir.at("work/d/config"), dir.at("work"), dir.at("aside")).what === "taken back") taken++;
    }
    await flipper.stop();
    closeSync(inside);
    expect(readFileSync(dir.at("out/config"), "utf8")).toBe("mine");
    expect([flipper.flips, taken > 0]).toEqual(["yes", true]);
  },
  20_000,
);

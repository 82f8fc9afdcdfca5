import { expect, test } from "bun:test";
import { need } from "../../test/need.ts";
import { fuzzReading } from "./reading.ts";

const ms = 15_000;

test.skipIf(need("bwrap") !== undefined || need("git") !== undefined)(
  "what is judged to only read leaves a machine as it was in the read-only sandbox, whatever it hides",
  async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const { run, wrong } = await fuzzReading({ seed, ms });
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    expect(run).toBeGreaterThan(50);
  },
  ms * 4,
);

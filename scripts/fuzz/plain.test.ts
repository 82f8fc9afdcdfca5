import { expect, test } from "bun:test";
import { need } from "../../test/need.ts";
import { fuzz } from "./plain.ts";

const ms = 45_000;

test.skipIf(need("strace") !== undefined || need("git") !== undefined)(
  "what is judged plain runs exactly the programs, words and files that the judge wrote out",
  () => {
    const seed = Math.floor(Math.random() * 1e9);
    const { judged, plain, wrong } = fuzz({ seed, ms, runs: Number.POSITIVE_INFINITY });
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    expect([judged > 1000, plain > 50]).toEqual([true, true]);
  },
  ms * 2,
);

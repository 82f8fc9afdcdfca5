import { expect, test } from "bun:test";
import { flameSvg, type Profile } from "./flame.ts";

const node = (id: number, functionName: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url: "file:///x/y.ts", lineNumber: 4 },
  children,
});

test("a picture of time has a block for each frame, as wide as it took, and names nothing that XML cannot hold", () => {
  const profile: Profile = {
    nodes: [
      node(1, "(root)", [2, 3, 5]),
      node(2, "a<b>&\u0000", [4]),
      node(3, "short"),
      node(4, "inner"),
      node(5, "(idle)"),
    ],
    samples: [4, 4, 4, 3, 5, 5],
    timeDeltas: [1000, 1000, 1000, 1000, 9000, -5],
  };
  const svg = flameSvg(profile, "time & more");
  expect(svg).toContain("time &#38; more");
  expect(svg).toContain("a&#60;b&#62;&#38;? y.ts:5 3.0 ms, 75.0 %");
  expect(svg).toContain("short y.ts:5 1.0 ms, 25.0 %");
  expect(svg).not.toContain("idle");
  expect(svg.match(/<rect x/g)).toHaveLength(5);
});

test("a profile of nothing, or one that goes in circles, is a picture too", () => {
  expect(flameSvg({ nodes: [] }, "none")).toContain("nothing was done");
  const round = { nodes: [node(1, "a", [2]), node(2, "b", [1])], samples: [2], timeDeltas: [5] };
  expect(flameSvg(round, "round")).toStartWith("<svg");
});

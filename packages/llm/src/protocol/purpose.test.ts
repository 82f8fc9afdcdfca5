import { expect, test } from "bun:test";
import { purposes, type Request } from "../message/stream.ts";
import { user } from "../test/fixture.ts";
import { benches } from "../test/lab.ts";
import { protocols } from "./protocols.ts";

test("the purpose of a request is never sent to a server", async () => {
  for (const [api, bench] of Object.entries(benches)) {
    const wire = await protocols[bench.fake.api]?.({});
    const bodies = purposes.map((purpose) => {
      const request: Request = { model: bench.model, purpose, system: ["s"], messages: [user("x")], tools: [] };
      return JSON.stringify([wire?.encode(request), wire?.headers?.(request)]);
    });
    expect([api, new Set(bodies).size]).toEqual([api, 1]);
    expect(bodies[0]).not.toContain("purpose");
  }
});

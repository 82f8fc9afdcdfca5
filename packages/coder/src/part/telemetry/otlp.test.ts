import { expect, test } from "bun:test";
import { collectorOf, pairsIn, parentIn } from "./otlp.ts";

test("the address of one kind stands as it is, that of all has a place for each kind", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://a:1/base/",
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://b:2/here",
  };
  expect(collectorOf("traces", env)?.url).toBe("http://a:1/base/v1/traces");
  expect(collectorOf("metrics", env)?.url).toBe("http://b:2/here");
  expect(collectorOf("traces", {})?.url).toBe("http://localhost:4318/v1/traces");
  expect(collectorOf("traces", { OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
});

test("headers of one kind win, and a time that is none is not taken", () => {
  const env = {
    OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=2",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=3",
    OTEL_EXPORTER_OTLP_TIMEOUT: "soon",
  };
  expect(collectorOf("traces", env)).toMatchObject({ headers: { a: "1", b: "3" }, timeoutMillis: 900 });
  expect(pairsIn("a=x%3Dy,,=z,b,c=%zz")).toEqual({ a: "x=y", c: "%zz" });
});

test("a parent that is none is passed over", () => {
  const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  expect(parentIn({ TRACEPARENT: `00-${trace}-${span}-01` })).toEqual({ traceId: trace, spanId: span, traceFlags: 1 });
  for (const bad of ["", "x", `ff-${trace}-${span}-01`, `00-${"0".repeat(32)}-${span}-01`, `00-${trace}-${span}`])
    expect(parentIn({ TRACEPARENT: bad })).toBeUndefined();
});

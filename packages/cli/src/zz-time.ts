const marks: [string, number][] = [["start", performance.now()]];
const m = (n: string) => marks.push([n, performance.now()]);
await import("@pith/kit"); m("kit");
await import("zod"); m("zod");
await import("@pith/llm"); m("llm");
await import("@pith/agent"); m("agent");
await import("@pith/host"); m("host");
const c = await import("@pith/coder"); m("coder");
await import("./io/io.ts"); m("io");
await import("./command/run.ts"); m("run");
await import("./command/launch.ts"); m("launch");
const s = await c.openSettings({ cwd: "/tmp", home: "/tmp/nohome" }); m("settings");
if (s.ok) {
  const o = { cwd: "/tmp", home: "/tmp/nohome", userHome: "/root", env: { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }, settings: s.value, model: "openai/x", session: { open: "none" as const }, approval: "ask" as const, asks: false };
  const r = await c.openCoder(o); m("openCoder");
  const r2 = await c.openCoder(o); m("openCoder again");
}
let last = 0; for (const [n, t] of marks) { process.stdout.write(`${n} ${(t - last).toFixed(2)}\n`); last = t; }

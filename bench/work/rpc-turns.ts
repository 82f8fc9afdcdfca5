import { course, endlessCalls, endlessWork } from "../endless.ts";

export default endlessWork("RPC", async (lab) => {
  const scene = { play: "rounds", calls: endlessCalls(lab.project) } as const;
  const talk = await lab.talk("pith", ["--mode", "rpc", "--model", "openai/bench", "--yolo"], scene);
  await talk.line('"ready"');
  const taken = await course(talk.pid, async (n) => {
    talk.send({ type: "prompt", message: `do step ${n}` });
    await talk.line('"agent_settled"');
  });
  await talk.end();
  return taken;
});

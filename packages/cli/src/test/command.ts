import { join } from "node:path";
import { run } from "../command/run.ts";
import { fakeIo } from "./fake.ts";

// Nothing on this machine may be found by chance.
const nowhere = {
  OLLAMA_HOST: "127.0.0.1:1",
  LM_STUDIO_BASE_URL: "http://127.0.0.1:1/v1",
  LLAMA_CPP_BASE_URL: "http://127.0.0.1:1",
  VLLM_BASE_URL: "http://127.0.0.1:1/v1",
  LITELLM_BASE_URL: "http://127.0.0.1:1",
};

/** Runs a command of pith in the folders `work` and `home` of a test. */
export async function runIn(root: string, argv: readonly string[], process: Parameters<typeof fakeIo>[0] = {}) {
  const env = { ...nowhere, ...process.env };
  const io = fakeIo({ cwd: join(root, "work"), home: join(root, "home"), ...process, env });
  const code = await run(argv, io);
  return { code, out: io.printed(), err: io.complained() };
}

import { turns } from "../lab.ts";
import { toolWork } from "../turn.ts";

// The number makes every command another one, as a loop of equal calls may be stopped.
export default toolWork(
  `${turns} shell turns`,
  () => ({ play: "calls", turns, tool: "bash", input: { command: "echo turn {n}" } }),
  `turn ${turns}`,
);

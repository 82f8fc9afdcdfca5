import { version as number } from "../../../../../package.json";
import { exit } from "../../io/interrupt.ts";
import type { Command } from "../command.ts";

export const version: Command = async (_, io) => {
  io.out.write(`${number}\n`);
  return exit.finished;
};

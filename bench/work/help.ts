import type { Lab } from "../lab.ts";
import type { Work } from "../work.ts";

const run = async (lab: Lab, subject: "pith" | "floor") => {
  const { began, ended, cpuMs } = await lab.start(subject, ["--help"]);
  return { wall: ended - began, cpu: cpuMs };
};

export default {
  title: "--help",
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "wall", title: "wall", unit: "ms", goal: { timesFloor: 1.5 } },
    { of: "cpu", title: "CPU", unit: "ms" },
  ],
} satisfies Work;

import { parseJson, readPlain, recordOf, tryOr, writeWhole } from "@pith/kit";

/** Answers of people by project and command: `no`, or `yes` with the hash of what the command ran then. */
type Answers = Record<string, Record<string, string>>;

const maxBytes = 1024 * 1024;

/** The stored answer for a command; undefined if there is none, or if the command runs something else now. */
export const answerOn = (file: string, project: string, command: string, hash: string): "yes" | "no" | undefined => {
  const answer = read(file)[project]?.[command];
  return answer === "no" ? "no" : answer === `yes ${hash}` ? "yes" : undefined;
};

/** Stores an answer; if that fails, the question is asked again another time. */
export const keepAnswer = (file: string, project: string, command: string, answer: string): void =>
  tryOr(() => {
    const all = read(file);
    const next = { ...all, [project]: { ...all[project], [command]: answer } };
    writeWhole(file, `${JSON.stringify(next, null, 1)}\n`, "synced");
  });

function read(file: string): Answers {
  const mine = process.getuid?.();
  const text = readPlain(file, { maxBytes, owner: (uid) => mine === undefined || uid === mine });
  return recordOf(text.ok && parseJson(text.value)) as Answers;
}

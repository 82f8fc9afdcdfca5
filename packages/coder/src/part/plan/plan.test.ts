import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { artifactsOf } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import type { Approval } from "../../policy/approval.ts";
import type { Values } from "../../setting/schema.ts";
import { coderIn, houseIn, noticesOf, resultsOf, scriptIn, talkIn } from "../../test/open.ts";

const write = { tool: "write", input: { path: "a.txt", content: "a\n" } };
const handIn = { tool: "exit_plan_mode", input: { plan: "# Goal\n\n1. write a.txt" } };

const perform = async (coder: Coder, text: string) => {
  const typed = coder.commands.read(text);
  if (typed.is !== "command") throw new Error(text);
  const ending = await coder.perform(typed);
  return ending.do === "show" ? ending.outcome.text : ending;
};
const planFile = (coder: Coder) => `${artifactsOf(coder.file ?? "")}/local/plan.md`;

test("changes wait until the plan is approved, and the plan stays in view", async () => {
  using dir = scratch();
  const house = await houseIn(dir);
  const model = scriptIn(dir, [{ calls: [write] }, { calls: [handIn, write] }, { calls: [write] }, { text: "Done." }]);
  const { coder, requests } = await talkIn(house, { model });
  coder.subscribe((event) => {
    if (event.type !== "question") return;
    expect(event.question).toMatchObject({ form: "choose", body: "# Goal\n\n1. write a.txt" });
    expect(existsSync(dir.at("work/a.txt"))).toBe(false);
    coder.answer(event.question.id, { say: "yes", option: "approve" });
  });
  expect(await perform(coder, "/plan")).toContain("Plan mode is on");
  expect(coder.scene.status).toEqual({ mode: "plan" });
  await coder.send({ text: "go" });
  const results = resultsOf(coder);
  expect(results[0]).toContain("plan");
  expect(results[1]).toContain("approved the plan");
  // Other calls of the same reply still ran in plan mode.
  expect(results[2]).not.toContain("Created");
  expect(coder.choice.approval).toBe("yolo");
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("a\n");
  expect(readFileSync(planFile(coder), "utf8")).toBe("# Goal\n\n1. write a.txt\n");
  expect(coder.scene.panels.plan).toMatchObject({ kind: "plan", data: { state: "approved" } });
  expect(coder.scene.status).toEqual({});
  // The list has one tool more at its end, and stays the same from then on.
  const lists = requests.map(({ tools }) => tools.map(({ name }) => name).join());
  expect(new Set(lists).size).toBe(1);
  expect(lists[0]).toEndWith(",exit_plan_mode");
  expect(JSON.stringify(requests[0]?.messages)).toContain("Plan mode is on");
  expect(JSON.stringify(requests[2]?.messages)).toContain("Plan mode is over");
  // /plan off takes a plan out of view that was carried out.
  expect(await perform(coder, "/plan off")).toBe("The plan is put away; /plan show has it.");
  expect(coder.scene.panels.plan).toBeUndefined();
  expect(await perform(coder, "/plan off")).toBe("This is not plan mode.");
  expect(await perform(coder, "/plan show")).toContain("# Goal");
  await coder.close();
});

test("plan mode that is switched on later only adds exit_plan_mode to the list of tools", async () => {
  using dir = scratch();
  const { coder, requests } = await talkIn(await houseIn(dir), {
    model: scriptIn(dir, [{ text: "Hi." }, { text: "Yes." }, { text: "Hm." }]),
  });
  await coder.send({ text: "hello" });
  expect(await perform(coder, "/plan the work")).toEqual({ do: "prompt", input: { text: "the work" } });
  await coder.send({ text: "the work" });
  expect(await perform(coder, "/plan off")).toBe("Plan mode is off.");
  await coder.send({ text: "on" });
  const [first, second, third] = requests.map(({ tools }) => tools);
  expect(second?.slice(0, -1)).toEqual([...(first ?? [])]);
  expect(second?.at(-1)?.name).toBe("exit_plan_mode");
  expect(third).toEqual(second);
  expect(requests.map(({ system }) => system)).toEqual(Array(3).fill(requests[0]?.system));
  await coder.close();
});

test("a session in plan mode stays in it when resumed, and a record cannot end it", async () => {
  using dir = scratch();
  const first = await coderIn(dir, [{ text: "Hi." }], { approval: "plan" });
  await first.send({ text: "hello" });
  await first.close();
  const session = { open: "file", path: first.file ?? "" } as const;
  dir.write({ "home/config.yml": "approval.mode: yolo\n" });
  const again = await coderIn(dir, [{ text: "Hi." }, { calls: [write] }, { text: "Oh." }], {
    approval: undefined,
    session,
  });
  expect([again.choice.approval, again.scene.status.mode]).toEqual(["plan", "plan"]);
  await again.send({ text: "write" });
  expect(existsSync(dir.at("work/a.txt"))).toBe(false);
  await perform(again, "/plan off");
  expect(again.choice.approval).toBe("yolo");
  await again.close();
  const later = await coderIn(dir, [{ text: "Hi." }], { approval: "ask", session });
  expect(later.choice.approval).toBe("ask");
  await later.close();
});

test("a session in plan mode that is opened with another mode leaves it, and says so", async () => {
  using dir = scratch();
  const first = await coderIn(dir, [{ text: "Hi." }], { approval: "plan" });
  await first.send({ text: "hello" });
  await first.close();
  const session = { open: "file", path: first.file ?? "" } as const;
  const again = await coderIn(dir, [{ text: "Hi." }], {
    approval: undefined,
    set: { "approval.mode": "auto" },
    session,
  });
  expect([again.choice.approval, again.scene.status.mode]).toEqual(["auto", undefined]);
  expect(noticesOf(again.events)).toContain("Plan mode is off: the mode is auto, as this run says.");
  await again.close();
});

test("plan mode returns to the mode before it, whoever set that, and its question names that mode", async () => {
  const modes = async (how: { approval?: Approval; set?: Values; config?: string; said?: string }) => {
    using dir = scratch();
    if (how.config) dir.write({ "home/config.yml": how.config });
    const { approval, set } = how;
    const coder = await coderIn(dir, [{ calls: [handIn] }, { text: "Done." }], { approval, ...(set && { set }) });
    if (how.said) await perform(coder, `/approval ${how.said}`);
    await perform(coder, "/plan");
    let named = "";
    coder.subscribe((event) => {
      if (event.type !== "question") return;
      named = event.question.options?.[0]?.label ?? "";
      coder.answer(event.question.id, { say: "yes", option: "approve" });
    });
    await coder.send({ text: "go" });
    const after = coder.choice.approval;
    await coder.close();
    expect(named).toContain(` ${after} mode`);
    return after;
  };
  expect(await modes({ approval: "ask" })).toBe("ask");
  expect(await modes({ approval: "write" })).toBe("write");
  expect(await modes({ approval: "auto", said: "ask" })).toBe("ask");
  expect(await modes({ said: "write" })).toBe("write");
  expect(await modes({ config: "approval.mode: ask\n" })).toBe("ask");
  expect(await modes({ config: "approval.mode: ask\n", set: { "approval.mode": "plan" } })).toBe("ask");
  expect(await modes({ config: "approval.mode: write\n" })).toBe("write");
  expect(await modes({})).toBe(Bun.which("bwrap") ? "auto" : "write");
});

test("only exit_plan_mode writes the plan", async () => {
  using dir = scratch();
  const other = { tool: "write", input: { path: "local://plan.md", content: "mine\n" } };
  const coder = await coderIn(dir, [{ calls: [other] }, { text: "Oh." }]);
  await coder.send({ text: "go" });
  expect(resultsOf(coder)).toEqual(["local://plan.md is written by exit_plan_mode alone."]);
  expect(existsSync(planFile(coder))).toBe(false);
  await coder.close();
});

test("a plan that is refused with words is revised; one that is only refused ends the turn", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ calls: [handIn] }, { calls: [handIn] }], { approval: "plan" });
  const answers = [{ say: "no", words: "smaller" } as const, { say: "yes", option: "keep" } as const];
  coder.subscribe((event) => {
    const answer = event.type === "question" ? answers.shift() : undefined;
    if (answer && event.type === "question") coder.answer(event.question.id, answer);
  });
  await coder.send({ text: "go" });
  expect(resultsOf(coder)[0]).toContain("wants the plan changed: smaller");
  expect(resultsOf(coder)[1]).toContain("did not approve");
  expect(coder.scene.turn).toMatchObject({ name: "idle", end: { reason: "interrupted" } });
  expect([coder.choice.approval, coder.scene.panels.plan]).toEqual(["plan", undefined]);
  await coder.close();
});

test("where nobody can approve the plan, it is kept, and the mode stays on", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ calls: [handIn] }, { text: "Planned." }], { approval: "plan", asks: false });
  await coder.send({ text: "go" });
  expect(resultsOf(coder)[0]).toContain("Nobody can approve");
  expect(readFileSync(planFile(coder), "utf8")).toContain("# Goal");
  expect(coder.choice.approval).toBe("plan");
  await coder.close();
});

test("outside of plan mode a plan is refused", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi." }, { calls: [handIn] }, { text: "Oh." }], { approval: "plan" });
  await coder.send({ text: "hello" });
  await perform(coder, "/plan off");
  await coder.send({ text: "go" });
  expect(resultsOf(coder)).toEqual(["This is not plan mode: there is nothing to hand in. Do the work itself."]);
  await coder.close();
});

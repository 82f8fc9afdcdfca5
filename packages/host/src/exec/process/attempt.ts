/** Whether it went well; for what the system may refuse at any time. */
export function attempt(run: () => void): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** True for a command that may only apply a patch; told without reading it. */
export const mayPatch = (command: string): boolean => /apply_?patch/.test(command);

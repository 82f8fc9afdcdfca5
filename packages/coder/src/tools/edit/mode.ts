export const editModes = ["hashline", "replace", "patch", "apply_patch"] as const;
export type EditMode = (typeof editModes)[number];

/** The environment's word counts when it is one we know; then the setting's. */
export const editModeOf = (variant: string | undefined, setting: EditMode): EditMode => editModes.find((mode) => mode === variant) ?? setting;

/** Options of every command that imports. */
export const IMPORT_OPTIONS = { apply: { type: 'boolean', default: false } } as const

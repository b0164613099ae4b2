/** Options that all import commands have. */
export const IMPORT_OPTIONS = { apply: { type: 'boolean', default: false } } as const

import type { Deps } from '../../services/common/deps.ts'

/** What an import uses. */
export type ImportDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'site' | 'transports' | 'operator' | 'log' | 'confirmAddresses' | 'onPrunable' | 'budget'
>

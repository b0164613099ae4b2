/** A card on `/account/security`: one way to prove who it is, how it stands, and links to the pages that change it. */
import type { Deps } from '../../../../../services/common/deps.ts'
import type { Html } from '../../../html.ts'
import type { AccountVisit } from '../../../route.ts'

export type SecurityDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'passwords' | 'signInLimits' | 'signInRules' | 'site'
>

/** @returns null where this server does not have it */
export type SecurityCard = (deps: SecurityDeps, visit: AccountVisit) => Html | null | Promise<Html | null>

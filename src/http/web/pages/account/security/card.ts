/** A card on `/account/security`: one way to prove one's identity, its state, and links to the pages that change it. */
import type { Html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import type { AccountVisit } from '../../../route.ts'

/** @returns null if this server does not have it */
export type SecurityCard = (deps: PageDeps, visit: AccountVisit) => Html | null | Promise<Html | null>

/** A card on `/account/security`. It shows the state of one way to sign in, and links to the pages that change it. */
import type { Html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import type { AccountVisit } from '../../../route.ts'

/** @returns null if this server does not offer this way to sign in */
export type SecurityCard = (deps: PageDeps, visit: AccountVisit) => Html | null | Promise<Html | null>

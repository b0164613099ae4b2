/** A card on `/account/security`. It shows the status of one sign-in method, and links to the pages that change it. */
import type { Html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import type { AccountVisit } from '../../../route.ts'

/** @returns null if this server does not offer the sign-in method */
export type SecurityCard = (deps: PageDeps, visit: AccountVisit) => Html | null | Promise<Html | null>

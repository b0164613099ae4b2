/** The link to the OpenID provider. */
import type { OidcProvider } from '../../../../domain/account/sign-in-rules.ts'
import type { Href } from '../../href.ts'
import type { Html } from '../../html.ts'
import { type ButtonLook, linkButton } from './buttons.ts'

export const OIDC_PATH = '/sign-in/oidc'

/**
 * Renders the link for signing in. It cannot be a form, because the Content-Security-Policy does not allow a form to redirect to another
 * site.
 * @param next local path to open afterwards; null for the start page
 */
export function oidcButton(
  href: Href,
  { name }: Pick<OidcProvider, 'name'>,
  next: string | null,
  look: ButtonLook = 'plain',
): Html {
  const query = next === null ? '' : `?${new URLSearchParams({ next })}`
  return linkButton({ text: `Sign in with ${name}`, look, isWide: true, href: href(OIDC_PATH + query) })
}

/** Renders the link that lets users prove their identity at the OpenID provider. */
export function oidcConfirmButton(
  href: Href,
  { name }: Pick<OidcProvider, 'name'>,
  next: string,
  look: ButtonLook,
): Html {
  const query = new URLSearchParams({ confirm: '1', next })
  return linkButton({ text: `Confirm with ${name}`, look, isWide: true, href: href(`${OIDC_PATH}?${query}`) })
}

/** The system's Chromium, without a window. `CHROMIUM` names it where it is not at the place that Debian gives it. */
import { type Browser, chromium } from 'playwright-core'

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
}

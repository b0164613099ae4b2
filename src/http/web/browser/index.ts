/** The script of all pages. */
import './times.ts'
import './copy.ts'
import './toast.ts'
import './dialogs.ts'
import './keys.ts'
import './zone.ts'
import './live/index.ts'
import './strips.ts'

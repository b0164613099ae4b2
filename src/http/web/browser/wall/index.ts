/** The script of walls, in place of that of all pages: nobody types or clicks there. */
import '../times.ts'
import '../live/indicator.ts'
import '../live/numbers.ts'
import './clock.ts'
import './tv.ts'
import { onRefusal, onStream, reload } from '../live/stream.ts'

onStream('reload', reload)
onRefusal(reload)

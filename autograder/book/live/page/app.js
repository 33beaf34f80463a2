// A page that computes with Python by a script of its own: `data-live-app` names the script below _static. It is mounted
// with `compute` (cell.js); where it cannot run, the words that the page came with stay.
import { LACKING, LIVE, compute } from "./cell.js";

for (const place of LACKING ? [] : document.querySelectorAll("[data-live-app]")) {
  import(new URL(`../${place.dataset.liveApp}`, LIVE))
    .then(app => app.mount(place, compute))
    .catch(error => console.warn(`${place.dataset.liveApp}: ${error}`));
}

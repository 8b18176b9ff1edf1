import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useMemo } from 'preact/hooks';
import { ROOT } from '../../app/address.ts';
import { Ask, NewLink, NewNote, ObjectViewer } from '../../app/shared-screens.ts';
import { ZONE_PATH, followInto, insideOf, zoneLocation } from '../../app/zone/zone-location.ts';
import { InZone } from '../../state/in-zone.ts';
import { zoneUrl } from '../../state/zone.ts';
import { lazyScreen } from '../../ui/lazily.tsx';
import { HiddenList } from './hidden-list.tsx';

const SearchResults = lazyScreen(() => import('../search/search-results.tsx'));

/** The hidden documents. What is opened among them is shown in this place: the address stays the same. */
export default function HiddenScreen() {
  const real = useLocation();
  const url = zoneUrl.value ?? ZONE_PATH;
  const inner = useMemo(() => zoneLocation(real, url), [real, url]);
  useEffect(() => {
    const before = document.title;
    return () => void (document.title = before);
  }, []);
  const follow = followInto(insideOf, inner.route);
  return (
    <div class="screens" onClick={follow} onAuxClick={follow}>
      <LocationProvider.ctx.Provider value={inner}>
        <InZone.Provider value>
          <ErrorBoundary>
            <Router>
              <Route path={ZONE_PATH} component={HiddenList} />
              <Route path={`${ROOT}/library`} component={Search} />
              <Route path={`${ROOT}/object/:id/:part?`} component={ObjectViewer} />
              <Route path={`${ROOT}/ask/:chat?`} component={Ask} />
              <Route path={`${ROOT}/new/note`} component={NewNote} />
              <Route path={`${ROOT}/new/link`} component={NewLink} />
            </Router>
          </ErrorBoundary>
        </InZone.Provider>
      </LocationProvider.ctx.Provider>
    </div>
  );
}

/** A search while the zone is open. */
function Search() {
  const { query } = useLocation();
  return <SearchResults query={query['q'] ?? ''} />;
}

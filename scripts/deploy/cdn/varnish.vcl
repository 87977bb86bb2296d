vcl 4.1;

# Varnish in front of Vitrine with CACHE_MAX_AGE. README.md says how to run it.

backend vitrine {
  .host = "127.0.0.1";
  .port = "3000";
}

sub vcl_recv {
  # The receiver of webhooks drops the answers that have one of these tags, which are separated by |.
  if (req.method == "BAN") {
    if (req.http.Authorization != "Bearer CHANGE_ME") {
      return (synth(403));
    }
    if (req.http.Ban-Tags !~ "^[a-z0-9|-]+$") {
      return (synth(400));
    }
    ban("obj.http.Cache-Tag ~ (^|,)(" + req.http.Ban-Tags + ")(,|$)");
    return (synth(204));
  }
  # The page, /health and /metrics are for operators.
  if (req.url !~ "^/((api|images|feeds|documentation)/|(changes|documentation|robots\.txt)([?]|$))") {
    return (synth(403));
  }
  # A GET of a news item counts as a read. Varnish would turn a HEAD into a GET.
  if (req.url ~ "/api/news/") {
    return (pass);
  }
  # The answers are the same for everybody. Previews are not below these paths.
  if (req.url ~ "^/(api|images|feeds)/") {
    unset req.http.Cookie;
  }
}

sub vcl_deliver {
  # What leaves Varnish cannot be purged any more.
  if (resp.http.Cache-Tag) {
    set resp.http.Cache-Control = "no-cache";
    unset resp.http.CDN-Cache-Control;
    unset resp.http.Cache-Tag;
    unset resp.http.Surrogate-Key;
    unset resp.http.Age;
  }
}

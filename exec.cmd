@rem The scripts of package.json that signals have to reach begin with exec, which cmd lacks.
@%*

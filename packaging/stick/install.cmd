@echo off
rem Installs GPT Studio for you alone, with the settings, texts and lesson of your class.
setlocal
set "here=%~dp0"
set "installer="
for %%f in ("%here%installers\gptstudio-*-windows-x86_64.exe") do set "installer=%%f"
if not defined installer (
    echo There is no installer for Windows in %here%installers. Ask your instructor.
    pause
    exit /b 1
)
if exist "%here%class\" xcopy "%here%class" "%USERPROFILE%\gptstudio-class\" /E /I /Q /R /Y >nul
if errorlevel 1 (
    echo %USERPROFILE%\gptstudio-class cannot be written. Nothing was installed.
    pause
    exit /b 1
)
echo Installing GPT Studio. It takes about half a minute ...
start "" /wait "%installer%" /S "/SETTINGS=%here%settings.toml"
if errorlevel 1 (
    echo GPT Studio could not be installed: exit code %errorlevel%. Start %installer% yourself to see why.
    pause
    exit /b 1
)
echo GPT Studio is installed. It is in the Start menu.
pause
